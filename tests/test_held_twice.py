"""Figures and units that two files state, because one of them cannot import the other."""

import inspect
import re
from pathlib import Path

import pytest

from plywire.clients.exports.connectx import agent as connectx
from plywire.clients.exports.othello import agent as othello
from plywire.clients.exports.othello.export import MOST_CHARACTERS
from plywire.engine.connect4.book.book import shipped_book
from plywire.engine.connect4.rules import Connect4
from plywire.engine.game import PositionError
from plywire.engine.othello.evaluation import evaluation
from plywire.engine.othello.evaluation.weights import UNIT
from plywire.protocol.framing import MAX_LINE
from plywire.protocol.messages.fields import MAX_ID
from plywire.protocol.messages.play import MAX_LEVEL
from plywire.protocol.messages.watching import MAX_ROWS
from plywire.protocol.text import MAX_MESSAGE
from plywire.server.arena.feed import feed, recall
from plywire.server.arena.live import bot_player
from plywire.server.cli import export
from plywire.server.settings import Settings
from tests.support.sessions import ROOT
from tests.support.transcripts import PROTOCOL

WEB = ROOT / "server/plywire/server/web"


def stated(text: str | Path, pattern: str) -> list[int]:
    """The whole numbers that a pattern finds in a text or a file, which may have commas."""
    if isinstance(text, Path):
        text = text.read_text("utf-8")
    text = re.sub(r"\s+", " ", text)
    return [int(number.replace(",", "")) for number in re.findall(pattern, text)]


@pytest.mark.parametrize(
    ("file", "pattern", "expected"),
    [
        ("game/strengths.js", r"Array.from\(\{ length: (\d+) \}", MAX_LEVEL),
        ("game/strengths.js", r'HIGHEST = "level-(\d+)"', MAX_LEVEL),
        ("game/strengths.js", r"`Level (\d+) \(", MAX_LEVEL),
        ("connection/arena-feed.js", r"const FINISHED = (\d+);", feed._FINISHED),
        ("connection/arena-feed.js", r"const SHOWN = (\d+);", MAX_ROWS),
        ("game/score.js", r'if \(kind === "cp"\) return value / (\d+);', UNIT),
        ("game/score.js", r"about \$\{signed\(\(value / (\d+)\)", UNIT),
        ("game/score.js", r'kind === "cp" \? (\d+) : 1', UNIT),
    ],
)
def test_the_page_has_the_figures_of_python(file: str, pattern: str, expected: int) -> None:
    assert stated(WEB / file, pattern) == [expected]


def test_the_page_knows_the_boards_of_connect_four() -> None:
    (least,) = stated(WEB / "game/rules/connect4.js", r"const LEAST = (\d+);")
    (bits,) = stated(WEB / "game/rules/connect4.js", r"const BITS = (\d+);")
    Connect4(least, bits // least - 1)
    for size in ((least - 1, least), (least, least - 1), (least, bits // least)):
        with pytest.raises(PositionError):
            Connect4(*size)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"Without its ending it is at most ([\d,]+) bytes long", MAX_LINE),
        (r"`line-too-long` \| The line has more than ([\d,]+) bytes", MAX_LINE),
        (r"`id`, a string of at most (\d+) characters", MAX_ID),
        (r"Words are at most (\d+) characters", MAX_ID),
        (r"record of the game, each of at most (\d+) characters", MAX_MESSAGE),
        (r"The last (\d+) `note`s", bot_player._NOTES),
        (r"first (\d+) games of a round", recall._ROUND),
    ],
)
def test_the_protocol_states_the_limits_that_are_kept(pattern: str, expected: int) -> None:
    assert stated(PROTOCOL, pattern) == [expected]


def test_a_servers_lines_are_as_long_as_the_protocols() -> None:
    assert Settings.model_fields["max_line"].default == MAX_LINE


def test_exported_bots_have_the_figures_of_the_engine() -> None:
    assert othello.MOST == int(evaluation._MOST) == 64 * UNIT
    assert othello.MOST < othello.INFINITE
    columns, rows, _ = connectx.BOARD
    assert shipped_book(columns, rows) is not None
    assert connectx.WIN - columns * rows > connectx.PROVEN


def test_the_page_on_exported_bots_has_their_figures() -> None:
    page = ROOT / "docs/how-to/export-a-bot.md"
    assert stated(page, r"one source of less than ([\d,]+) characters") == [MOST_CHARACTERS]
    seconds = {
        name: inspect.signature(getattr(export, name)).parameters["seconds"].default
        for name in ("botzone", "codingame")
    }
    (row,) = re.findall(r"\| searches for a move \|(.*)", page.read_text("utf-8"))
    assert f"| {seconds['botzone']} s of a second" in f"|{row}"
    assert f"| {1000 * seconds['codingame']:.0f} ms of 100" in f"|{row}"
