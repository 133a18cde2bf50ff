"""Connect Four's opening book."""
