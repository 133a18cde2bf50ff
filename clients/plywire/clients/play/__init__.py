"""The domain: players, matches with a referee, records, judging, ratings and notations."""
