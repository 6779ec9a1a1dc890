"""Learning to score whole plays from labels: runners that label, a ring of labelled decisions, a learner."""
