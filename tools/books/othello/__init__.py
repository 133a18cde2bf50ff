"""Building and checking Othello's opening book."""
