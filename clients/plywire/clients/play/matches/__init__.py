"""Games between players: the referee, openings, records, matches of many games."""
