"""A player of your own against the greedy one: all it takes is `choose`."""

import asyncio

from plywire.clients import GameLine, Player
from plywire.clients.matches.match import MatchStanding, Schedule, play_match
from plywire.clients.matches.referee import TimeControl
from plywire.clients.players.local import GreedyPlayer
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Limits


class Stingy(Player):
    """Leaves the other side as few moves as it can."""

    name = "stingy"

    async def choose(self, line: GameLine, limits: Limits) -> int:
        """The move after which the other side has fewest."""
        position = line.position
        return min(position.moves(), key=lambda move: len(position.play(move).moves()))


async def main() -> None:
    """Play the match and print its result."""
    schedule = Schedule(load("othello"), games=40, random_plies=6)
    standing = MatchStanding()
    await play_match(schedule, (Stingy, GreedyPlayer), TimeControl(), standing.add)
    tally = standing.tally
    print(f"+{tally.wins} ={tally.draws} -{tally.losses}, Elo {tally.estimate()}")


asyncio.run(main())
