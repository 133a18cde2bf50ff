"""Tic-Tac-Toe: rules and kernels."""
