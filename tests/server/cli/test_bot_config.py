"""The file of `plywire bot`: what it offers and whose challenges it takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plywire.protocol.messages.arena import Challenge, Challenged, Seek
from plywire.protocol.messages.limits import Clock, Limits
from plywire.server.cli import app
from plywire.server.cli.bot_config import ChallengeConditions, read_bot_config

ROOT = Path(__file__).parents[3]
RUNNER = CliRunner(env={"COLUMNS": "160", "NO_COLOR": "1", "TERM": "dumb"})


@pytest.mark.parametrize(
    ("given", "changes", "objection"),
    [
        ({}, {}, ""),
        ({"block": ["Bob"]}, {}, "bob is on the block list"),
        ({"games": ["othello"]}, {}, "tictactoe is not among othello"),
        ({"games": ["othello", "tictactoe"]}, {}, ""),
        ({"rating": [1400, "inf"]}, {}, ""),
        ({"rating": [1600, 1800]}, {}, "a rating of 1500 is not from 1600 to 1800"),
        ({"rating": [1600, 1800]}, {"rating": 1801}, "a rating of 1801 is not from 1600 to 1800"),
        ({"rating": [1600, 1800]}, {"rating": 1800}, ""),
        ({"movetime": [0, 500]}, {}, "a movetime of 1000 is not from 0 to 500"),
        ({"clock": [0, 60]}, {}, ""),
        (
            {"clock": [0, 60]},
            {"limits": Limits(clock=Clock(p1=61_000, p2=61_000))},
            "a clock of 61 is not from 0 to 60",
        ),
    ],
)
def test_whose_challenges_are_taken(
    given: dict[str, object], changes: dict[str, object], objection: str
) -> None:
    challenge = Challenged(
        offer=1, name="bob", game="tictactoe", size="3x3", limits=Limits(movetime=1000)
    )
    accepts = ChallengeConditions.model_validate(given)
    assert accepts.objection(challenge.model_copy(update=changes)) == objection


def test_flags_count_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "bot.toml"
    file.write_text(
        """
        name = "ann"
        token = "t"
        engine = "./my-engine"
        game = "othello"
        movetime = 50
        challenge = ["bob"]
        [accept]
        rating = [1200, inf]
        """
    )
    config = read_bot_config(file, {"player": "random", "tc": "10+0.1", "seek": True, "slots": 2})
    assert (config.player, config.engine, config.slots) == ("random", None, 2)
    (offer,) = config.offers()
    clock = Clock(p1=10_000, p2=10_000, inc1=100, inc2=100)
    assert offer == Seek(game="othello", size="8x8", limits=Limits(clock=clock))
    assert [type(one) for one in read_bot_config(file, {}).offers()] == [Challenge]


def test_the_example_of_the_documentation_is_a_bot(tmp_path: Path) -> None:
    (example,) = re.findall(
        r"```toml\n(.*?)```", (ROOT / "docs/reference/bot-file.md").read_text("utf-8"), re.S
    )
    file = tmp_path / "bot.toml"
    file.write_text(example)
    config = read_bot_config(file, {"token": "t"})
    assert [type(offer) for offer in config.offers()] == [Challenge, Challenge, Seek]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("colour = 1", "colour: there is no such key"),
        ("gretting = 1", "gretting: there is no such key, did you mean greeting?"),
        ("slots = 65", "slots: must be at most 64, not 65"),
        ("tc = 'soon'", "no time control 'soon'; write SECONDS+INCREMENT"),
        ("accept = { rating = [2, 1] }", "accept.rating: the range ends at 1, before it begins"),
        ("accept = { games = ['go'] }", "unknown game"),
        ("slots = ", "bot.toml: Invalid value"),
    ],
)
def test_the_file_says_what_is_wrong(line: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "bot.toml"
    file.write_text(f"name = 'ann'\ntoken = 't'\nplayer = 'random'\n{line}\n")
    result = RUNNER.invoke(app, ["bot", "--config", str(file)])
    assert result.exit_code == 2
    assert message in " ".join(result.output.replace("│", " ").split())
