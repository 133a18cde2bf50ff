"""The page as a static site, which any host can serve, and which works without a network."""
