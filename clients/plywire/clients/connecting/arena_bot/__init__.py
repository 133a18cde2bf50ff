"""A bot in a server's arena.

    options = BotOptions(offers=[Seek(...)])
    bot = ArenaBot("ws://localhost:7591", "ann", token, Clever, options)
    await bot.run(games=10)

`Clever` is a `Player`: all it takes is `choose`. The bot logs in, seeks games, challenges others or
joins a tournament, has the player choose wherever it is its turn, and comes back when the
connection is lost. No position is searched twice: a turn that is told again is the search that is
running, or the move that was found.
"""

from .bot import ArenaBot
from .options import BotOptions

__all__ = ["ArenaBot", "BotOptions"]
