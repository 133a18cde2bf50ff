"""A bot for a server's arena: it plays at random, over the network.

python arena_bot.py ws://127.0.0.1:7591 NAME TOKEN [GAMES]
python arena_bot.py ws://127.0.0.1:7591 NAME TOKEN --join TOURNAMENT
"""

import asyncio
import random
import sys

from plywire.clients import ClientError, GameLine, Limits, Player
from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.protocol.messages.arena import Over, Seek


class Chance(Player):
    """Plays any legal move."""

    async def choose(self, line: GameLine, limits: Limits) -> int:
        """A move of the position at the end of the line."""
        return random.choice(line.legal_moves)


def print_result(over: Over) -> None:
    """Print who won, and how."""
    start = bot.start_of(over.table)
    if over.winner is None or start is None:
        who = "nobody"
    else:
        who = name if over.winner == start.player else start.opponent
    print(f"{who} won: {over.reason}")


url, name, token, *rest = sys.argv[1:]
tournament = rest[1] if rest[:1] == ["--join"] else None
seek = Seek(game="connect4", limits=Limits(movetime=1000))
offers = [] if tournament else [seek]
bot = ArenaBot(
    url, name, token, Chance, BotOptions(offers=offers, join=tournament, on_over=print_result)
)
try:
    asyncio.run(bot.run(None if tournament else int(*rest or [1])))
except ClientError as error:
    sys.exit(str(error))
