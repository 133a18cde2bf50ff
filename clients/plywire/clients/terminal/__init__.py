"""A person against a player in a terminal, and what a match shows there."""
