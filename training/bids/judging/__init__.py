"""Calls judged: calibration, regret, offsets, and the report on them."""
