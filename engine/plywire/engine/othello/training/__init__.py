"""Training the Othello evaluation: from games to weights."""
