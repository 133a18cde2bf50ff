"""A bot in a server's arena.

    options = BotOptions(offers=[Seek(...)])
    bot = ArenaBot("ws://localhost:7591", "ann", token, Clever, options)
    await bot.run(games=10)

`Clever` is a `Player` with a method `choose`. The bot logs in, seeks games, challenges others or
joins a tournament, and returns after a lost connection. A position is searched once: if the server
repeats a turn, the bot sends the known move or waits for the running search.
"""

from .bot import ArenaBot
from .options import BotOptions

__all__ = ["ArenaBot", "BotOptions"]
