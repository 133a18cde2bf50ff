"""Gomoku for Plywire."""
