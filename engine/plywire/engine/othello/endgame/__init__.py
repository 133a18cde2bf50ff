"""The exact search of endgames."""
