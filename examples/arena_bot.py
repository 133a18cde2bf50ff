"""A bot for a server's arena: it plays at random, over the network."""

import asyncio
import random
import sys

from plywire.clients import GameLine, Limits, Player
from plywire.clients.arena_bot import ArenaBot
from plywire.protocol.messages.arena import Seek


class Chance(Player):
    """Plays any legal move."""

    async def choose(self, line: GameLine, limits: Limits) -> int:
        """A move of the position at the end of the line."""
        return random.choice(line.legal_moves)


url, name, token, games = sys.argv[1:]
seek = Seek(game="connect4", limits=Limits(movetime=1000))
bot = ArenaBot(url, name, token, Chance, offers=[seek], on_over=lambda over: print(over.reason))
asyncio.run(bot.run(int(games)))
