"""Players at the other end of a line: programs and servers; and how a spec names a player."""
