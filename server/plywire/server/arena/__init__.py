"""The arena: bots, their games and tournaments, what is stored and what is published.

It knows no transport and no dialect: a player is a `plywire.clients.play.players.base.Player`.
"""
