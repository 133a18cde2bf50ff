"""Othello's opening book, and how it is built."""
