"""Ways to a server or an engine: each moves bytes and knows nothing of what they mean."""
