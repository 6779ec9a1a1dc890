"""Bids judged: par tables, the value network and its bidder, calibration, regret, and what to call with a hand."""
