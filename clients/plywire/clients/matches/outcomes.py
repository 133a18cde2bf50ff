"""What finished games say to ratings."""

from collections.abc import Iterable, Iterator

from plywire.clients.errors import Termination
from plywire.clients.ratings.bradley_terry import Outcome

from .records import Finished


def outcomes(games: Iterable[Finished]) -> Iterator[Outcome]:
    """The outcomes of finished games; those that were called off have none."""
    for game in games:
        if game.termination is not Termination.ABORT:
            score = 0.5 if game.winner is None else float(game.winner == 1)
            yield Outcome(*game.players, score)
