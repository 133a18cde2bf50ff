"""Games with engines that are odd in one way each, and what they should come to.

    python -m tests.support.odd_games [GAMES]

plays so many games with each engine and prints a table of how they ended.
"""

import asyncio
import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from plywire.clients.connecting.players.external import ExternalPlayer
from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.match import MatchError, Schedule, play_match
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.matches.referee import TimeControl
from plywire.clients.play.players.local import RandomPlayer
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Limits
from tests.support.forks import forked

ENGINE = str(Path(__file__).with_name("fake_programs") / "odd_engine.py")

#: What does no harm, and whether there is something to warn of.
HARMLESS = {
    "latin-1": True,
    "bidi": True,
    "nul": True,
    "colours": True,
    "coloured-move": True,
    "backspaces": True,
    "noise": True,
    "chatter": False,
    "blank-lines": False,
    "byte-order-mark": False,
    "long-line": True,
    "long-answer": True,
    "answers-twice": False,
    "extra-pass": False,
}
#: What ends the game, and how.
ENDS = {
    "resigns": Termination.RESIGNATION,
    "unreadable": Termination.GARBAGE,
    "illegal": Termination.ILLEGAL_MOVE,
    "crash": Termination.CRASH,
}
REFUSED = "wrong-variant"
ODDITIES = (*HARMLESS, *ENDS, REFUSED)
GAMES = {"ugi": "tictactoe", "uci": "connect4", "gtp": "othello", "nboard": "othello"}


@dataclass
class Outcome:
    """How the games with one engine ended."""

    records: list[GameRecord] = field(default_factory=list)
    refusal: str = ""

    @property
    def forfeits(self) -> Counter[Termination]:
        """How often the engine lost otherwise than by the rules."""
        return Counter(
            record.termination
            for record in self.records
            if record.termination is not Termination.NORMAL
        )

    @property
    def warnings(self) -> list[str]:
        """All of the records."""
        return [warning for record in self.records for warning in record.warnings]


async def play(dialect: str, oddity: str, games: int) -> Outcome:
    """Games of an odd engine against a random player."""
    game = GAMES[dialect]
    command = [forked("python"), ENGINE, dialect, game, oddity]
    players = (
        partial(ExternalPlayer, command, dialect, name="odd"),
        partial(RandomPlayer, 7, name="random"),
    )
    outcome = Outcome()
    control = TimeControl(Limits(movetime=5000), patience=10_000)
    try:
        schedule = Schedule(load(game), games, random_plies=0)
        await play_match(schedule, players, control, outcome.records.append)
    except MatchError as error:
        outcome.refusal = str(error)
    return outcome


async def main(games: int) -> None:
    """Print a line an engine."""
    total: Counter[str] = Counter()
    print(f"{'engine':24} games  ended otherwise than by the rules; warnings; an example")
    for dialect in GAMES:
        for oddity in ODDITIES:
            found = await play(dialect, oddity, games)
            ends = ", ".join(f"{name} {count}" for name, count in found.forfeits.items())
            example = found.refusal or "".join(found.warnings[:1])
            if found.forfeits:
                example = next(r.reason for r in found.records if r.termination != "normal")
            print(
                f"{dialect + ' ' + oddity:24} {len(found.records):5}  {ends or '-'};"
                f" {len(found.warnings)}; {example[:100]}",
                flush=True,
            )
            total["games"] += len(found.records)
            total["refused"] += bool(found.refusal)
            total.update({str(name): count for name, count in found.forfeits.items()})
    print(dict(total))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 3))
