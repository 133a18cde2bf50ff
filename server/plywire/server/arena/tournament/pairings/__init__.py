"""Pairings: round robin, gauntlet, Swiss and knockout.

The players, the format and the results so far determine the schedule, so an interrupted tournament
keeps its schedule. Round robin and gauntlet are known from the start. Swiss and knockout are known
one stage at a time: a runner asks for more pairings when all known pairings have a result.

The Swiss system pairs rounds by FIDE's Dutch system (`dutch.py`), with matchings (`matching.py`).
Callers pass earlier rounds to the next call, which keeps them.

A pairing has an even number of games. Games 2k and 2k + 1 of the tournament play the same opening
with colours swapped. All pairings play the same openings in the same order. Two players who meet
again continue after their last opening.
"""

from typing import Annotated

from pydantic import Field

from .knockout import Knockout
from .round_robin import Gauntlet, RoundRobin
from .schedule import Bye, Meeting, Pairing, Ranking, Rounds, Schedule, Score
from .swiss import Swiss

#: Any of the formats; `system` decides which.
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
