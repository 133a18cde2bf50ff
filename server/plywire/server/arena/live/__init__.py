"""Connected bots, the games they play, and the tournaments they join."""
