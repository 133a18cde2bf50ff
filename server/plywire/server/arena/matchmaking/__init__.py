"""Matchmaking: the lobby, seeks and challenges, and the games that follow."""
