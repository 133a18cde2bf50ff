"""The groups of entry points with which other distributions add games."""

GAMES = "plywire.games"
"""Classes of rules; see `game.py`."""
BACKENDS = "plywire.backends"
"""Classes of backends; see `search/backend.py`."""
