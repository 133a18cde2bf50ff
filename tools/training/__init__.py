"""Training Othello's evaluation: from games to weights."""
