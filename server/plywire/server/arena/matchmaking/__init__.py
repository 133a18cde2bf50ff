"""How bots find opponents: the lobby, offers, and the games that come of them."""
