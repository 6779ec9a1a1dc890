"""The value network of bids: its samples, its training, and the bidder fitted to it."""
