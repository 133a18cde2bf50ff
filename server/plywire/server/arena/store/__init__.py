"""What the arena keeps on disk: accounts, the journal of games, ratings."""
