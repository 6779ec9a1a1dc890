"""Search: candidate plays, worlds a seat may be in, and play-outs that compare the ones in the others."""
