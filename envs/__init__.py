"""The game: cards, rules, environments and records. Needs neither torch nor ray."""
