"""Search threads, and how the searches of all peers share them."""
