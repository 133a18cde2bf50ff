"""Games in a terminal, and the display of a match."""
