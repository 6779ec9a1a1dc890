"""YAML files that say only what differs from the defaults in the code."""
