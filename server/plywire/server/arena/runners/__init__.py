"""Running tournaments: their games are played here, by workers, or by bots elsewhere."""
