"""A person, played by a script, at the terminal."""

import asyncio
import io
import random
from collections.abc import Iterator

import pytest
from rich.console import Console

from plywire.clients.play.matches.openings import parse_opening
from plywire.clients.play.players.base import GameLine, Player
from plywire.clients.terminal.board import draw, landing
from plywire.clients.terminal.play import Terminal, score_text
from plywire.engine.analysis import EngineScore
from plywire.engine.game import PASS
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Limits
from tests.support.scripted_players import Scripted


def session(
    *lines: str, game: str = "connect4", side: int = 0, opponent: Player | None = None
) -> str:
    """What the terminal shows to a person who types these lines, prompts left out."""
    console = Console(file=io.StringIO(), width=120)
    left: Iterator[str] = iter(lines)

    def read(prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    Terminal(load(game), console, read, side=side, level=1, opponent=opponent).run()
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def test_a_won_game() -> None:
    shown = session("4", "4", "4", "4", opponent=Scripted("123"))
    assert "you are Yellow (X), Red is the opponent" in shown
    assert "You (x) beat scripted in 7 moves, four in a row." in shown
    assert shown.endswith("Goodbye.\n")


def test_a_lost_game_against_a_first_mover() -> None:
    shown = session("1", "1", "1", side=1, opponent=Scripted("4444"))
    assert "you are Red (O), Yellow is the opponent" in shown
    assert "Scripted (x) beat you in 7 moves, four in a row." in shown


def test_a_whole_game_of_othello_against_the_engine() -> None:
    shown = session("d3", "moves", "quit", game="othello")
    assert "Black plays d3" in shown
    assert "White plays" in shown


def test_undo_takes_back_both_moves() -> None:
    shown = session("4", "undo", "undo", "3", opponent=Scripted("12"))
    assert "nothing to take back" in shown
    assert shown.count("Red plays") == 2
    bottom = next(line for line in reversed(shown.splitlines()) if line.startswith("  1 "))
    assert bottom.split() == ["1", "+", "[O]", "X", "+", "+", "+", "+"]


def test_undo_as_the_second_player() -> None:
    shown = session("1", "undo", "moves", side=1, opponent=Scripted("4444"))
    after = shown.split("Yellow plays 4")[2]
    assert "[X]" in after


def test_hints_name_the_winning_move() -> None:
    shown = session("4", "4", "4", "hint", opponent=Scripted("123"))
    lines = shown.splitlines()
    heading = next(place for place, line in enumerate(lines) if "worth to you" in line)
    assert lines[heading + 1].split()[:4] == ["4", "wins", "in", "1"]


def test_a_review_marks_the_move_that_lost() -> None:
    shown = session(
        "b2", "a1", "b1", "c1", "review", game="tictactoe", opponent=Scripted(("a2", "c3", "b3"))
    )
    lines = [line.split() for line in shown.splitlines()]
    assert ["2", "a2", "-1", "1", "losing"] in [[*line[:2], *line[3:]] for line in lines]
    assert "X played 4 of 4 moves best." in shown
    assert "O played 2 of 3 moves best." in shown


def test_mistakes_are_explained_and_change_nothing() -> None:
    shown = session("9", "", "level 11", "level 3", "help", "4", opponent=Scripted("1"))
    assert "no move '9' here: the legal moves are 1 2 3 4 5 6 7; help lists the commands" in shown
    assert "A level is a number from 1 to 10." in shown
    assert "Level 3: sees 6 plies ahead, and errs." in shown
    assert "take back your last move" in shown
    assert "Yellow plays 4" in shown


def test_a_level_is_described_as_the_game_has_it() -> None:
    assert "Level 3: looks 2 plies ahead, and errs by some 5 discs." in session(
        "level 3", game="othello"
    )
    assert "Level 10: plays the best moves it finds." in session("level 10", opponent=Scripted(""))


def test_sides_are_swapped_back() -> None:
    shown = session("swap", "swap", opponent=Scripted("44"))
    assert "You are Red now." in shown
    assert shown.index("You are Red now.") < shown.index("You are Yellow now.")


def test_swapping_sides_lets_the_opponent_move() -> None:
    shown = session("swap", "1", opponent=Scripted("44"))
    assert "You are Red now." in shown
    assert shown.index("Yellow plays 4") < shown.index("Red plays 1")


def test_after_the_end() -> None:
    shown = session(*"4444", "hint", "moves", "5", "new", "4", opponent=Scripted("123"))
    assert shown.count("The game is over.") == 2
    assert "the game is over, four in a row" in shown
    assert shown.count("you are Yellow") == 2


def test_an_opponent_that_takes_long_is_waited_for_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Slow(Scripted):
        async def choose(self, line: GameLine, limits: Limits) -> int | str:
            for _ in range(3):
                await asyncio.sleep(0)
            return await super().choose(line, limits)

    assert "still thinking" not in session("4", opponent=Slow("1"))
    monkeypatch.setattr(Terminal, "PATIENCE", 0)
    assert "scripted is still thinking; Ctrl-C leaves." in session("4", opponent=Slow("1"))


def test_ctrl_c_at_the_prompt_says_goodbye() -> None:
    class Interrupted(Scripted):
        closed = False

        async def close(self) -> None:
            self.closed = True

    def interrupt(prompt: str) -> str:
        raise KeyboardInterrupt

    opponent = Interrupted("")
    console = Console(file=io.StringIO())
    Terminal(load("connect4"), console, interrupt, opponent=opponent).run()
    assert opponent.closed
    assert "Goodbye." in console.file.getvalue()  # type: ignore[attr-defined]


def test_the_board_marks_the_last_move_and_where_one_may_land() -> None:
    line = parse_opening(load("othello").start(), "d3")
    before = line.start
    text = draw(line.position, landing(before, line.moves[0]))
    rows = text.plain.splitlines()
    assert rows[2] == "  3  .  .  + [X] +  .  .  . "
    assert text.plain.count("+") == len(line.position.moves()) == 3
    assert text.plain.count("X") == 4
    assert rows[-1].split() == list("abcdefgh")
    styles = {text.plain[span.start]: span.style for span in text.spans}
    assert len({styles["X"], styles["O"], styles["."]}) == 3


def test_an_empty_board_has_nothing_to_mark() -> None:
    assert "+" not in draw(load("tictactoe").start()).plain
    assert draw(load("connect4", "12x4").start()).plain.splitlines()[-1].split()[-1] == "12"


def test_a_pass_lands_nowhere() -> None:
    source = random.Random(1)
    passing = load("othello").start()
    while passing.moves() != (PASS,):
        moves = passing.moves()
        passing = passing.play(source.choice(moves)) if moves else passing.game.start()
    assert landing(passing, PASS) is None
    assert "+" not in draw(passing).plain


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (EngineScore("cp", 125), "+1.25"),
        (EngineScore("cp", -5), "-0.05"),
        (EngineScore("win", 3), "wins in 3"),
        (EngineScore("loss", 4), "loses in 4"),
        (EngineScore("draw"), "draw"),
        (EngineScore("exact", -12), "-12 at the end"),
    ],
)
def test_scores_in_words(score: EngineScore, text: str) -> None:
    assert score_text(score) == text


def test_a_position_or_a_game_is_set_up() -> None:
    shown = session(
        "set 7/7/7/7/3o3/3x3 x", "set 1. 4 {best} 4 2. 3", "undo", opponent=Scripted("1")
    )
    assert "Red plays 1" in shown
    bottoms = [line.split() for line in shown.splitlines() if line.startswith("  1 ")]
    assert bottoms[1] == ["1", "+", "+", "+", "X", "+", "+", "+"]


def test_a_text_that_is_not_understood_changes_nothing() -> None:
    shown = session("set [3,3]", "set", "set 44 zz", "moves", opponent=Scripted(""))
    assert "line 1, column 1: '[3,3]' is no game" in shown
    assert "line 1, column 1: nothing to read" in shown
    assert "line 1, column 4: 'zz' is not understood" in shown
    assert shown.count("  6  .") == 1
