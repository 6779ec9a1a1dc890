"""Whole plays as choices: what a seat may do at a decision as one short list, with features, and labels by play-outs."""
