"""The arena: tournaments that lose nothing, and what they say about the players.

It knows no transport and no dialect: a player is a `plywire.clients.players.base.Player`.
"""
