"""Summarise finished games, for ratings and for people."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

from plywire.clients.play.errors import Termination
from plywire.clients.play.ratings.bradley_terry import Outcome

from .records import Finished, GameRecord

#: What the loser did, for each ending. This text goes before a reason that gives only details.
_FAULTS: dict[str, str] = {
    Termination.TIME: "ran out of time",
    Termination.STALL: "did not answer",
    Termination.CRASH: "crashed",
    Termination.ILLEGAL_MOVE: "made an illegal move",
    Termination.GARBAGE: "broke the protocol",
    Termination.DISCONNECT: "left",
}


#: Number of games that players lost by their own faults, for each player, fault and reason.
Failures = Counter[tuple[str, Termination, str]]

#: Maximum number of reasons to print for each player and fault.
_REASONS = 3


def failures(games: Iterable[GameRecord]) -> Failures:
    """Count the games that players lost by their own faults."""
    found = Failures()
    for game in games:
        if game.termination.is_failure and game.winner is not None:
            loser = game.players[2 - game.winner]
            found[loser, game.termination, _details(game.reason, loser)] += 1
    return found


def failure_lines(found: Failures) -> Iterator[str]:
    """Yield lines for each player and fault: the count, and the most frequent reasons."""
    for who, fault in sorted({(who, fault) for who, fault, _ in found}):
        reasons = Counter({why: n for (*what, why), n in found.items() if what == [who, fault]})
        yield f"{who} lost by {fault}: {reasons.total()}"
        yield from (f"  {count} by: {why}" for why, count in reasons.most_common(_REASONS))
        if len(reasons) > _REASONS:
            yield f"  and by {len(reasons) - _REASONS} other reasons"


def outcomes(games: Iterable[Finished]) -> Iterator[Outcome]:
    """Yield the outcomes of finished games; games that were called off have none."""
    for game in games:
        if game.termination is not Termination.ABORT:
            score = 0.5 if game.winner is None else float(game.winner == 1)
            yield Outcome(*game.players, score)


def sentence(
    players: tuple[str, str],
    winner: Literal[1, 2] | None,
    moves: int | None,
    reason: str,
    termination: str = Termination.NORMAL,
) -> str:
    """Describe a result, such as `ann (x) beat bob in 34 moves, bob ran out of time`."""
    if winner is None:
        verb = "broke off against" if termination == Termination.ABORT else "drew with"
        after = "" if moves is None else f" after {moves} moves"
        return f"{players[0]} (x) {verb} {players[1]}{after}, {reason}"
    loser = players[2 - winner]
    if fault := _FAULTS.get(termination):
        reason = f"{loser} {fault} ({_details(reason, loser)})"
    within = "" if moves is None else f" in {moves} moves"
    return f"{players[winner - 1]} ({'xo'[winner - 1]}) beat {loser}{within}, {reason}"


def _details(reason: str, loser: str) -> str:
    return reason.removeprefix(f"{loser}: ").removeprefix(f"{loser} ")
