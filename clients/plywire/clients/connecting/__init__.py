"""Clients, transports, bots for arenas and GGS, and players that are other programs."""
