"""A bot in twenty lines: it plays at random against the engine of a server."""

import asyncio
import random
import sys

from plywire.clients import connect


async def main(url: str) -> None:
    """Play one game."""
    async with connect(url) as game:
        await game.new_game("connect4")
        while not (result := await game.result()).over:
            if result.turn == 1:
                move = random.choice(await game.legal())
            else:
                move = (await game.go(movetime=50)).move
            await game.move(move)
        print((await game.show()).board)
        print(f"Player {result.winner} won" if result.winner else "Drawn", "-", result.reason)


asyncio.run(main(*sys.argv[1:] or ["ws://127.0.0.1:7591"]))
