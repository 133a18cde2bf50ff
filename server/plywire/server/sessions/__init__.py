"""One peer: its loop, its state, and its limits."""
