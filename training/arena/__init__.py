"""The arena: agents against each other on the same deals, with intervals that deal luck cannot fool."""
