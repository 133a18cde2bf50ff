"""Pairings: round robin, gauntlet, Swiss and knockout.

The players, the format and the results so far determine the schedule, so an interrupted tournament
keeps its schedule. Swiss and knockout are known one stage at a time: a runner asks for more
pairings when all known pairings have a result.

Games 2k and 2k + 1 of the tournament play the same opening with colours swapped. All pairings play
the same openings in the same order. Two players who meet again continue after their last opening.
"""

from typing import Annotated

from pydantic import Field

from .knockout import Knockout
from .round_robin import Gauntlet, RoundRobin
from .schedule import Bye, Meeting, Pairing, PairingSchedule, Ranking, Rounds, Score
from .swiss import Swiss

#: The settings of any format. The field `system` says which format it is.
Format = Annotated[RoundRobin | Gauntlet | Swiss | Knockout, Field(discriminator="system")]

__all__ = [
    "Bye",
    "Format",
    "Gauntlet",
    "Knockout",
    "Meeting",
    "Pairing",
    "PairingSchedule",
    "Ranking",
    "RoundRobin",
    "Rounds",
    "Score",
    "Swiss",
]
