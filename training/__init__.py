"""Configuration, self-play, evaluation and the command line."""
