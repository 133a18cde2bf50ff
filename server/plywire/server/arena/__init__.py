"""The arena: bots, their games and tournaments, storage and publishing.

The arena knows no transport and no dialect.
"""
