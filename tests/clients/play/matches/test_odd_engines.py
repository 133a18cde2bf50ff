"""Engines that are odd: what may be ignored is ignored, and only the deserved games are lost."""

import pytest

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.match import MatchStanding
from plywire.server.arena.reports.exports import Export, ExportFormat
from plywire.server.arena.reports.game_texts import EventInfo
from tests.support.odd_games import ENDS, GAMES, HARMLESS, REFUSED, play


@pytest.mark.parametrize("dialect", GAMES)
@pytest.mark.parametrize("oddity", HARMLESS)
async def test_what_may_be_ignored_is_ignored(dialect: str, oddity: str) -> None:
    found = await play(dialect, oddity, 1)
    assert [record.termination for record in found.records] == [Termination.NORMAL]
    is_told = HARMLESS[oddity] and (dialect, oddity) != ("gtp", "long-answer")
    assert not is_told or found.warnings
    assert all(warning.startswith("odd: line ") for warning in found.warnings)
    assert all(warning.isprintable() for warning in found.warnings)
    if (dialect, oddity) == ("ugi", "nul"):  # a line of each move
        (warning,), (record,) = found.warnings, found.records
        assert warning.endswith(f" (and {len(record.moves[::2]) - 1} more)")


@pytest.mark.parametrize("dialect", GAMES)
@pytest.mark.parametrize("oddity", ENDS)
async def test_the_deserved_games_are_lost(dialect: str, oddity: str) -> None:
    (record,) = (await play(dialect, oddity, 1)).records
    assert record.termination is ENDS[oddity]
    assert record.winner == 2
    assert record.reason.startswith("odd")
    if oddity == "resigns":
        assert record.reason == "odd resigned"
        assert not record.termination.is_failure
    if oddity == "unreadable":
        assert "\ufffd\ufffd\ufffd" in record.reason
        assert "odd: line " in record.reason


@pytest.mark.parametrize("dialect", ["ugi", "uci", "gtp"])
async def test_an_engine_of_other_games_is_refused_before_the_first(dialect: str) -> None:
    found = await play(dialect, REFUSED, 1)
    assert found.records == []
    assert found.refusal == f"odd cannot play {GAMES[dialect]}: it offers chess"


async def test_a_resignation_is_a_loss_in_every_record() -> None:
    (record,) = (await play("gtp", "resigns", 1)).records
    info = EventInfo("odd")
    (ggf,) = Export(ExportFormat.GGF, info).games([record])
    assert "RE[-64.000:r]" in ggf
    (pgn,) = Export(ExportFormat.PGN, info).games([record])
    assert '[Result "0-1"]' in pgn
    assert '[Termination "normal"]' in pgn
    assert "odd resigned" in pgn
    standing = MatchStanding()
    standing.add(record)
    assert (standing.tally.games, standing.tally.losses) == (1, 1)
    assert not standing.failures
