"""Pairings: round robin, gauntlet, Swiss and knockout.

The players, the format and the results so far alone determine a schedule, so an interrupted
tournament keeps its schedule. More results only add to it. Round robin and gauntlet are known from
the start. Swiss and knockout are known a stage at a time: the next stage follows the last result of
the stage before. So a runner asks for more when all known pairings have a result.

Rounds of the Swiss system are paired by FIDE's Dutch system (`dutch.py`), by matchings
(`matching.py`). Rounds that were drawn before are given to the next call, which keeps them.

A pairing is an even number of games. Games 2k and 2k + 1 of the tournament play the same opening
with colours swapped, so both players have the advantage of an opening once. All pairings play the
same openings in the same order. Two players who meet again go on where they stopped.
"""

from typing import Annotated

from pydantic import Field

from .knockout import Knockout
from .round_robin import Gauntlet, RoundRobin
from .schedule import Bye, Meeting, Pairing, Ranking, Rounds, Schedule, Score
from .swiss import Swiss

#: Any of the formats, told apart by `system`.
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
