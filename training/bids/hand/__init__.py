"""What to call with one hand, and why."""
