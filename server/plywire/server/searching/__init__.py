"""Search threads, which the searches of all clients share."""
