"""Othello: rules, kernels, and a solver of whole endgames."""
