"""Ways to a server or an engine: each moves bytes and does not read them."""
