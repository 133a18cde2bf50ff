"""How bots find each other: the lobby, offers, and the games that come of them."""
