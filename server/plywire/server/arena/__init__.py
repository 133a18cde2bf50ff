"""The arena: bots, the games and tournaments they play, and what is kept and published of them.

It knows no transport and no dialect: a player is a `plywire.clients.players.base.Player`.
"""
