"""What a hand is worth: play-outs of contracts, a network that predicts them, and a bidder made from both."""
