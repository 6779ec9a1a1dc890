"""The game as other people's interfaces: PettingZoo, Gymnasium, and what they share."""
