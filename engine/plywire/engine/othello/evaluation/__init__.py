"""Othello's evaluation: patterns, their indices and their weights."""
