"""Tic-Tac-Toe."""
