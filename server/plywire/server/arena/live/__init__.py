"""Bots that are connected, the games they play, and the tournaments they join."""
