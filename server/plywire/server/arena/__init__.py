"""The arena: bots, their games and tournaments, storage and publishing, for any transport."""
