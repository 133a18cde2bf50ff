"""Proven values of positions and moves."""
