"""Pairings: round robin, gauntlet, Swiss and knockout.

A schedule is a function of the players, the format and the results so far, and of nothing else, so
a tournament that was interrupted goes on with the schedule it had. It only ever grows: what was
known with fewer results is the beginning of what is known with more. Round robin and gauntlet are
known from the start; Swiss and knockout are known a stage at a time, the next one when the last
result of the stage is there. So whoever runs a tournament asks again when all known pairings have
a result, and need not ask before.

Rounds of the Swiss system are paired by FIDE's Dutch system (`dutch.py`), by matchings
(`matching.py`). Whoever asks again tells which rounds have been drawn: they stand, so each is drawn
once, whatever becomes of how rounds are drawn.

A pairing is an even number of games. Games 2k and 2k + 1 of the tournament play the same opening
with colours swapped, so an opening or a first move that is an advantage is one for both. Openings
are counted for each two players: all pairings play the same ones in the same order, and two who
meet again, in a later cycle or a tie-break, go on where they stopped.
"""

from typing import Annotated

from pydantic import Field

from .knockout import Knockout
from .round_robin import Gauntlet, RoundRobin
from .schedule import Bye, Meeting, Pairing, Ranking, Rounds, Schedule, Score
from .swiss import Swiss

#: Any of the formats; `system` says which.
Format = Annotated[RoundRobin | Gauntlet | Swiss | Knockout, Field(discriminator="system")]

__all__ = [
    "Bye",
    "Format",
    "Gauntlet",
    "Knockout",
    "Meeting",
    "Pairing",
    "Ranking",
    "RoundRobin",
    "Rounds",
    "Schedule",
    "Score",
    "Swiss",
]
