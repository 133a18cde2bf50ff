"""One reader of all notations of games and positions."""
