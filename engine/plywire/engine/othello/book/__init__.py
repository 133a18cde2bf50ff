"""Othello's opening book."""
