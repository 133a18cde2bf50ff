"""Building Connect Four's opening book."""
