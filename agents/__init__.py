"""Everything that turns an observation into an action."""
