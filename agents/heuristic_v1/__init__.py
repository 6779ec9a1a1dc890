"""Everything that is frozen under the name `heuristic-v1`: rules of thumb and expected points, compiled."""
