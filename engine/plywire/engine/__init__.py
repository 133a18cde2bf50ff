"""The engine: rules of games in plain Python, and compiled kernels that search them."""
