"""The toy that a learner must solve, and what its tests share."""
