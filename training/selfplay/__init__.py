"""Self-play with RLlib: a runner over a batch of tables, PPO with one network a role, a league of past selves."""
