"""How strong players are: Elo, SPRT, Bradley-Terry and Glicko-2."""
