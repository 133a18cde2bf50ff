"""Ratings: Elo, SPRT, Bradley-Terry and Glicko-2."""
