"""Tournaments: configuration, plan, openings, pairings and standings."""
