"""Search threads, and who may use them when."""
