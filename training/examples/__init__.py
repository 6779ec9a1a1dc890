"""Runnable examples: training with other means than our own runner."""
