"""An exact solver of Othello endgames."""
