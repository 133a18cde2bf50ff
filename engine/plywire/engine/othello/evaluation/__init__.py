"""Patterns, their indices and their weights."""
