"""NBoard, the protocol of the Othello GUI of that name."""
