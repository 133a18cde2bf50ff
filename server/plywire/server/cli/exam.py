"""`plywire exam`: measure a player's moves by proven values."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from plywire.clients.connecting.players.specs import SpecError, parse_player
from plywire.clients.exam.exam import Exam
from plywire.clients.exam.marks import ExamResult, Share
from plywire.clients.play.matches.match import MatchError
from plywire.clients.play.matches.referee import TimeControl
from plywire.engine.game import RulesError
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Limits
from plywire.server.arena.reports.exam_report import exam_page

from .common import failing, interruptible, refusing, screen, table, writing
from .completion import complete_game, complete_player
from .options import expanded
from .preparing import prepare_game
from .progress import telling


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of an exam."""

    player: Annotated[
        str,
        typer.Argument(help="Player spec of `plywire match`.", autocompletion=complete_player),
    ]
    game: Annotated[
        list[str] | None,
        typer.Option(
            help="Game of the exam. Repeatable.",
            autocompletion=complete_game,
            show_default="connect4, othello and tictactoe",
        ),
    ] = None
    positions: Annotated[int, typer.Option(min=0, help="Positions of each grade of each game.")] = (
        20
    )
    level: Annotated[
        list[int] | None,
        typer.Option(
            min=1,
            max=10,
            help="Level of the engine to play against. Repeatable.",
            show_default="1, 3, 5, 7 and 9",
        ),
    ] = None
    games: Annotated[int, typer.Option(min=0, help="Games against each level of each game.")] = 2
    movetime: Annotated[
        int, typer.Option(min=1, help="Time a move in ms, for a player without its own limits.")
    ] = 100
    seed: Annotated[
        int, typer.Option(help="Seed of the exam; equal seeds ask equal questions.")
    ] = 0
    json: Annotated[Path | None, typer.Option(help="File for the result as JSON.")] = None
    html: Annotated[Path | None, typer.Option(help="File for the result as an HTML page.")] = None


@expanded
def main(options: Options) -> None:
    """Examine a player: positions with proven values, and games against engine levels.

    Each position has moves that keep its value, a win or a draw, and moves that lose it. `Chance`
    is the share of values that random moves would keep. `Regret` is the mean loss of a move: discs
    in Othello, otherwise 1 from win to draw and 1 from draw to loss. Shares are in percent.
    Brackets and the numbers after ± are 95 % intervals. For the positions and grades, see the
    page "Examine a player" of the documentation.

    Examples:

        plywire exam engine:level=3
        plywire exam "ugi:./my-engine" --game othello --html exam.html
        plywire exam python:mybots:Hasty --positions 5 --movetime 60000
    """
    console = screen()
    with refusing(SpecError, RulesError):
        make = parse_player(options.player)
        kinds = [load(name) for name in options.game or ("connect4", "othello", "tictactoe")]
        exam = Exam(
            kinds,
            positions=options.positions,
            levels=options.level or (1, 3, 5, 7, 9),
            level_games=options.games,
            seed=options.seed,
            # The exam judges moves, not speed. With this margin, a slightly late move is no
            # failure. The table shows the times.
            control=TimeControl(Limits(movetime=options.movetime), margin=1000),
        )
    with interruptible(), failing("exam", MatchError):
        for kind in kinds:
            prepare_game(kind)  # The engine chooses the questions and is the opponent.
        with telling() as tell:
            result = asyncio.run(exam.sit(make, tell))
    if result.marks:
        console.print(_marks_table(result))
    if result.levels:
        console.print()
        console.print(_levels_table(result))
    if options.json is not None:
        with writing("exam", options.json):
            options.json.write_text(result.model_dump_json(indent=1) + "\n", "utf-8")
    if options.html is not None:
        with writing("exam", options.html):
            options.html.write_text(exam_page(result), "utf-8")


def _marks_table(result: ExamResult) -> Table:
    headings = ("Game", "Grade", "N", "Kept %", "Chance", "Lost", "Regret", "Illegal", "Failed")
    made = table(*headings, "ms", left="Game")
    for marks in result.marks:
        regret = "" if marks.regret is None else f"{marks.regret:.2g}"
        made.add_row(
            marks.game or "all",
            "all" if marks.grade is None else str(marks.grade),
            str(marks.questions),
            _percent(marks.kept),
            f"{100 * marks.chance:.0f}",
            str(marks.losing),
            regret if marks.regret_error is None else f"{regret} ±{marks.regret_error:.2g}",
            f"{100 * marks.illegal.value:.0f}",
            str(marks.failed),
            "" if marks.mean_ms is None else f"{marks.mean_ms:.0f}",
        )
    return made


def _levels_table(result: ExamResult) -> Table:
    made = table("Game", "Level", "+", "=", "-", "Score %", "Failed", left="Game")
    for score in result.levels:
        made.add_row(
            score.game,
            *map(str, (score.level, score.wins, score.draws, score.losses)),
            _percent(score.score),
            str(sum(score.failures.values())),
        )
    return made


def _percent(share: Share) -> str:
    return f"{100 * share.value:.0f} ({100 * share.low:.0f}-{100 * share.high:.0f})"
