"""Games between players: the referee, openings, records, and matches of many games."""
