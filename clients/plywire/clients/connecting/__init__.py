"""What connects: clients, transports, bots of arenas and of GGS, and players elsewhere."""
