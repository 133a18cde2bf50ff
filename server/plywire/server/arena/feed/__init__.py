"""What spectators are told of games and standings."""
