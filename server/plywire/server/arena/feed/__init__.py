"""The feed: events of games and standings for spectators."""
