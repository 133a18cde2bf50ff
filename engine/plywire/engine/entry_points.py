"""The groups of entry points by which other distributions add games."""

GAMES = "plywire.games"
"""The rules, see `game.py`."""
BACKENDS = "plywire.backends"
"""What thinks about them, see `search/backend.py`."""
