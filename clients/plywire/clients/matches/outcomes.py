"""What records of games say to ratings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plywire.clients.errors import Termination
from plywire.clients.ratings.bradley_terry import Outcome

from .records import GameRecord


def outcomes(records: Iterable[GameRecord]) -> Iterator[Outcome]:
    """The outcomes of recorded games; those that were called off have none."""
    for record in records:
        if record.termination is not Termination.ABORT:
            score = 0.5 if record.winner is None else float(record.winner == 1)
            yield Outcome(*record.players, score)
