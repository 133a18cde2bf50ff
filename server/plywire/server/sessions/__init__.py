"""One peer: who is let in, the loop that serves it, its game and its limits."""
