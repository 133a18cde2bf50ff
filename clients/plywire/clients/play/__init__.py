"""Players, matches with a referee, records, judging, ratings and notations."""
