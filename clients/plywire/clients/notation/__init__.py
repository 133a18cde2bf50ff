"""Games and positions as people and programs write them: one reader of all notations."""
