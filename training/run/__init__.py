"""A training run from its folder to its last checkpoint."""
