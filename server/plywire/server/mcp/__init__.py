"""The Model Context Protocol: games, the engine and an arena as tools for language models."""
