"""Games and matches between players: the referee, openings and records."""
