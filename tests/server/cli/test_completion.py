"""What a shell completes."""

import pytest
from typer.testing import CliRunner

from plywire.server.cli import app


def completed(typed: str) -> set[str]:
    words = {"COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split(" ")) - 1)}
    result = CliRunner().invoke(
        app, env={**words, "_PLYWIRE_COMPLETE": "complete_bash"}, prog_name="plywire"
    )
    assert result.exit_code == 0
    return set(result.output.split())


@pytest.mark.parametrize(
    ("typed", "choices"),
    [
        ("plywire per", {"perft"}),
        ("plywire tournament res", {"resume"}),
        ("plywire play t", {"tictactoe"}),
        ("plywire match random random --game o", {"othello"}),
        ("plywire warmup connect4 o", {"othello"}),
        ("plywire match g", {"greedy", "gtp:"}),
        ("plywire match greedy u", {"ugi:", "uci:"}),
        ("plywire bot --player nb", {"nboard:"}),
        ("plywire check gtp", {"gtp:"}),
        ("plywire match --see", {"--seed"}),
        ("plywire serve --websocket", {"--websocket-port"}),
        ("plywire engine --port", set()),
    ],
)
def test_commands_games_players_and_flags(typed: str, choices: set[str]) -> None:
    assert completed(typed) == choices
