"""Sessions: their quota, the loop of one client, its game and its limits."""
