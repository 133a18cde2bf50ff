"""`plywire check`: check the protocol, rules and time of an engine."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from plywire.clients.compliance.checked_engine import Subject
from plywire.clients.compliance.examine import CheckResult, Finding, examine
from plywire.clients.compliance.junit import junit as as_junit
from plywire.clients.connecting.players.specs import SpecError
from plywire.engine.game import RulesError
from plywire.engine.registry import load

from .common import interruptible, refusing, screen, writing
from .completion import complete_game, complete_player
from .progress import telling


def main(
    engine: Annotated[
        str,
        typer.Argument(
            help="Player spec of `plywire match`: an engine, a server or a class.",
            autocompletion=complete_player,
        ),
    ],
    game: Annotated[
        list[str] | None,
        typer.Option(
            help="Game to check instead of all that the engine names. Repeatable.",
            autocompletion=complete_game,
        ),
    ] = None,
    positions: Annotated[
        int, typer.Option(min=1, help="Positions of each game in which the engine must move.")
    ] = 200,
    margin: Annotated[
        int, typer.Option(min=0, help="Time that a move may come late, in ms.")
    ] = 100,
    junit: Annotated[Path | None, typer.Option(help="File for the findings as JUnit XML.")] = None,
) -> None:
    """Check that an engine can play matches: protocol, rules and time.

    The engine is greeted, plays each game that it names, is stopped, receives nonsense, is ended
    and is started again. The exit status is 1 if any check fails. Checks that do not apply to its
    protocol or to a game do not count.

    Examples:

        plywire check "ugi:./my-engine --fast"
        plywire check "gtp:/usr/games/gtp-rhino -l 3" --junit check.xml
        plywire check python:mybots:Hasty --game connect4
        plywire check ws://localhost:7591 --game othello
    """
    console = screen()
    with refusing(SpecError, RulesError):
        subject = Subject.parse(engine)
        games = [load(name) for name in game or ()]
    with interruptible(), telling() as tell:
        findings = asyncio.run(
            examine(subject, games=games, positions=positions, margin=margin, on_progress=tell)
        )
    console.print(_table(engine, findings))
    for found in findings:
        if found.last_lines:
            console.print(f"\n{found.check} {found.game}".rstrip() + ", the last lines:")
            console.print("\n".join(found.last_lines), markup=False, highlight=False)
    if junit is not None:
        with writing("check", junit):
            junit.write_bytes(as_junit(engine, findings))
    failed = sum(found.verdict is CheckResult.FAILED for found in findings)
    skipped = sum(found.is_skipped for found in findings)
    console.print(
        f"{len(findings) - failed - skipped} checks passed, {failed} failed, {skipped} not tried.",
        highlight=False,
    )
    raise typer.Exit(1 if failed else 0)


def _table(engine: str, findings: Sequence[Finding]) -> Table:
    styles = {"ok": "green", "failed": "bold red"}
    table = Table(title=Text(engine))
    for heading in ("Check", "Game", "Expected", "Said", "Verdict"):
        table.add_column(heading)
    for found in findings:
        table.add_row(
            found.check,
            found.game,
            found.expected,
            Text(found.said),
            Text(found.verdict, style=styles.get(found.verdict, "dim")),
        )
    return table
