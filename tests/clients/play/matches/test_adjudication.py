"""Players that resign and agree to draws, by the scores they tell."""

from collections.abc import Iterable

import pytest

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.adjudication import DrawRule, EarlyEnd, ResignRule
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.matches.referee import Referee, TimeControl
from plywire.clients.play.players.base import GameLine
from plywire.engine.registry import load
from plywire.protocol.messages.play import Score, Searched
from tests.support.scripted_players import Scripted

GAME = load("connect4")
START = GameLine.at(GAME.start())
#: Of seven rounds in which nobody wins.
FIRST, SECOND = "1212121", "3434343"


def said(values: Iterable[int | str | None]) -> list[Searched | None]:
    """Searches by hundredths, by `win` and the like, or none."""
    return [
        None
        if value is None
        else Searched(score=Score(kind=value, value=3))  # type: ignore[arg-type]
        if isinstance(value, str)
        else Searched(score=Score(kind="cp", value=value))
        for value in values
    ]


async def play(
    early_end: EarlyEnd, first: Iterable[int | str | None], second: Iterable[int | str | None]
) -> GameRecord:
    players = (
        Scripted(FIRST, "A", searches=said(first)),
        Scripted(SECOND, "B", searches=said(second)),
    )
    return await Referee(GAME, TimeControl(), early_end=early_end).play(players, START)


@pytest.mark.parametrize(
    ("first", "second", "loser", "moves"),
    [
        ([-300, -300, -300], [], 0, 5),
        ([0, -300, -299, -301, -300, "loss"], [], 0, 11),
        ([], [-300, -300, None, "loss", "loss", "loss"], 1, 12),
        ([300, 300, 300], ["win"] * 3, None, None),
        ([-300, -300], [], None, None),
    ],
)
async def test_a_player_that_is_lost_for_long_has_resigned(first, second, loser, moves) -> None:
    record = await play(EarlyEnd(resign=ResignRule(moves=3, score=300)), first, second)
    if loser is None:
        assert record.termination is not Termination.RESIGNATION
        return
    assert record.termination is Termination.RESIGNATION
    assert (record.winner, record.reason) == (2 - loser, f"{'AB'[loser]} resigned")
    assert len(record.moves) == len(record.searches) == moves


@pytest.mark.parametrize(
    ("first", "second", "moves"),
    [
        ([0] * 7, [0] * 7, 6),
        ([0, 5, -5, "draw", 0], [0, 0, 5, -5, 0], 6),
        ([0, 6, 0, 0, 0], [0] * 7, 7),
        ([0, 0, 0, 0, 0], [0, 0, None, 0, 0], 10),
        ([0] * 7, ["exact"] * 7, None),
        ([0] * 7, [], None),
    ],
)
async def test_a_draw_takes_both(first, second, moves) -> None:
    record = await play(EarlyEnd(draw=DrawRule(after=6, moves=2, score=5)), first, second)
    if moves is None:
        assert record.termination is not Termination.ADJUDICATION
        return
    assert (record.termination, record.winner) == (Termination.ADJUDICATION, None)
    assert (record.reason, len(record.moves)) == ("draw agreed", moves)
