"""A selective search of Othello's middle game."""
