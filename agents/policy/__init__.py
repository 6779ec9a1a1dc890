"""Trained networks as agents."""

FACTS_FILE = "policy.json"
"""The file that tells a folder with a policy from others; it is here because reading it needs no torch."""
