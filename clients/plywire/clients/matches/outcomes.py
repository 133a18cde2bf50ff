"""What finished games say: to ratings, and to people."""

from collections.abc import Iterable, Iterator
from typing import Literal

from plywire.clients.errors import Termination
from plywire.clients.ratings.bradley_terry import Outcome

from .records import Finished

#: What the loser did, where the reason tells no more than the details.
_FAULTS = {
    Termination.TIME: "ran out of time",
    Termination.STALL: "did not answer",
    Termination.CRASH: "crashed",
    Termination.ILLEGAL_MOVE: "made an illegal move",
    Termination.GARBAGE: "broke the protocol",
    Termination.DISCONNECT: "left",
}


def outcomes(games: Iterable[Finished]) -> Iterator[Outcome]:
    """The outcomes of finished games; those that were called off have none."""
    for game in games:
        if game.termination is not Termination.ABORT:
            score = 0.5 if game.winner is None else float(game.winner == 1)
            yield Outcome(*game.players, score)


def sentence(
    players: tuple[str, str],
    winner: Literal[1, 2] | None,
    moves: int,
    reason: str,
    termination: Termination = Termination.NORMAL,
) -> str:
    """How a game ended, such as `ann (x) beat bob in 34 moves, bob ran out of time`."""
    if winner is None:
        verb = "broke off against" if termination is Termination.ABORT else "drew with"
        return f"{players[0]} (x) {verb} {players[1]} after {moves} moves, {reason}"
    loser = players[2 - winner]
    if fault := _FAULTS.get(termination):
        details = reason.removeprefix(f"{loser}: ").removeprefix(f"{loser} ")
        reason = f"{loser} {fault} ({details})"
    return f"{players[winner - 1]} ({'xo'[winner - 1]}) beat {loser} in {moves} moves, {reason}"
