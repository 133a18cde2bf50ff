"""A reader of all notations of games and positions."""
