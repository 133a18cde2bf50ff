"""The arena's files: accounts, the journal of games, ratings."""
