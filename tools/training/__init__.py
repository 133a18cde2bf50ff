"""Training the evaluation: from games to weights."""
