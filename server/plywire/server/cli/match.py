"""`plywire match`: two players, many games."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from pydantic import BaseModel, ValidationError

from plywire.clients.connecting.players.specs import (
    parse_clock,
    parse_limits,
    parse_player,
)
from plywire.clients.play.matches.adjudication import DrawRule, EarlyEnd, ResignRule
from plywire.clients.play.matches.match import Match, MatchError, Schedule
from plywire.clients.play.matches.openings import read_openings
from plywire.clients.play.matches.records import GameRecord, GameWriter
from plywire.clients.play.matches.referee import TimeControl
from plywire.clients.play.players.local import EnginePlayer
from plywire.clients.terminal.report import (
    MatchDisplay,
    print_failures,
    print_repetition,
    result_table,
)
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Limits
from plywire.protocol.validation import refusal
from plywire.server.arena.reports.exports import Export, ExportFormat, match_row
from plywire.server.arena.reports.game_texts import EventInfo
from plywire.server.arena.tournament.config import SprtSection

from .common import (
    GameTime,
    MoveTime,
    Size,
    decimal,
    ending,
    failing,
    interruptible,
    refusing,
    screen,
    writing,
)
from .completion import complete_game, complete_player
from .options import expanded, reader
from .preparing import prepare_game

M = TypeVar("M", bound=BaseModel)

#: Default number of games with a sequential test. The test usually ends the match much earlier.
_MOST_GAMES = 100_000


def _fields(kind: type[M]) -> Callable[[str], M]:
    """Return a parser of texts such as `moves=4,score=500`."""

    def read(text: str) -> M:
        parts = [part.partition("=") for part in text.split(",") if text]
        try:
            return kind.model_validate_strings({name.strip(): value for name, _, value in parts})
        except ValidationError as error:
            raise ValueError(f"{text!r}: {refusal(error, kind)}") from None

    return reader(read)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a match."""

    player_a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="Spec of player A; see below.", autocompletion=complete_player
        ),
    ]
    player_b: Annotated[
        str, typer.Argument(metavar="B", help="Spec of player B.", autocompletion=complete_player)
    ]
    game: Annotated[
        str, typer.Option(help="connect4, othello or tictactoe.", autocompletion=complete_game)
    ] = "connect4"
    size: Size = None
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Number of games, with alternating colours; with --sprt, at most.",
            show_default=f"100, with --sprt {_MOST_GAMES}",
        ),
    ] = None
    movetime: MoveTime = None
    depth: Annotated[int | None, typer.Option(min=1, help="Search depth, in plies.")] = None
    nodes: Annotated[
        int | None, typer.Option(min=1, help="Most positions to visit for a move.")
    ] = None
    tc: GameTime = None
    tc_1: Annotated[
        str | None,
        typer.Option("--tc-1", help="Limits of A alone, such as 10+0.1 or 10+0.1,depth=12."),
    ] = None
    tc_2: Annotated[
        str | None, typer.Option("--tc-2", help="Limits of B alone, in the same form.")
    ] = None
    margin: Annotated[
        int,
        typer.Option(
            min=0,
            help="Time that a move may come late before it loses, in ms.",
        ),
    ] = 100
    patience: Annotated[
        float,
        typer.Option(
            parser=decimal(0.001, 86_400),
            metavar="SECONDS",
            help="Seconds of silence after the time until a player loses.",
        ),
    ] = 60
    sprt: Annotated[
        SprtSection | None,
        typer.Option(
            parser=_fields(SprtSection),
            metavar="elo0=0,elo1=5",
            help="Stop when A is shown better by elo1 or only by elo0.",
        ),
    ] = None
    resign: Annotated[
        ResignRule | None,
        typer.Option(
            parser=_fields(ResignRule),
            metavar="moves=4,score=500",
            help="Resign for a player that reports such scores for several moves.",
        ),
    ] = None
    draw: Annotated[
        DrawRule | None,
        typer.Option(
            parser=_fields(DrawRule),
            metavar="after=40,moves=8,score=10",
            help="End as a draw when both players report such scores.",
        ),
    ] = None
    openings: Annotated[
        Path | None,
        typer.Option(
            help="File of openings in any notation; two games play each.",
            exists=True,
            dir_okay=False,
        ),
    ] = None
    random_plies: Annotated[
        int, typer.Option(min=0, max=60, help="Number of random plies at the start instead.")
    ] = 0
    seed: Annotated[
        int,
        typer.Option(help="Seed of the random plies."),
    ] = 0
    concurrency: Annotated[
        int,
        typer.Option(
            min=1,
            help="Games at the same time; with limited time, at most the cores.",
        ),
    ] = 1
    out: Annotated[
        Path | None,
        typer.Option(help="File to append each game to: .jsonl, .csv, .pgn or .ggf."),
    ] = None
    result: Annotated[
        Path | None, typer.Option(help="File for the result of the match: .json or .csv.")
    ] = None
    event: Annotated[str, typer.Option(help="Name of the match in PGN and GGF.")] = "plywire match"
    moves: Annotated[
        Path | None, typer.Option(help="File to append the moves of each game to, one a line.")
    ] = None
    verbose: Annotated[bool, typer.Option(help="Print a line about each game.")] = False

    def match(self) -> Match:
        """Make the match; raises ValueError or OSError if an option is wrong."""
        game = load(self.game, self.size)
        games = self.games or (_MOST_GAMES if self.sprt else 100)
        given = self.openings and read_openings(game, self.openings.read_bytes())
        schedule = Schedule(game, games, given or (), self.random_plies, self.seed)
        schedule.opening(0)
        second = f"{self.player_b} (2)" if self.player_a == self.player_b else self.player_b
        return Match(
            schedule=schedule,
            names=(self.player_a, second),
            players=(parse_player(self.player_a), parse_player(self.player_b, name=second)),
            control=self._control(self.player_a, second),
            early_end=EarlyEnd(resign=self.resign, draw=self.draw),
            test=None if self.sprt is None else self.sprt.test(),
            concurrency=self.concurrency,
        )

    def _control(self, first: str, second: str) -> TimeControl:
        clock = None if self.tc is None else parse_clock(self.tc)
        limits = Limits(movetime=self.movetime, depth=self.depth, nodes=self.nodes, clock=clock)
        own = {first: self.tc_1, second: self.tc_2}
        return TimeControl(
            Limits(movetime=100) if limits == Limits() else limits,
            {name: parse_limits(text) for name, text in own.items() if text is not None},
            margin=self.margin,
            patience=round(self.patience * 1000),
        )

    def writer(self, control: TimeControl) -> GameWriter:
        """Make the writer of the games; raises typer.BadParameter if a format is unknown."""
        if self.result is not None:
            ending("--result", self.result, ".json", ".csv")
        form, goes_on = ExportFormat.JSONL, False
        if self.out is not None and self.out.suffix:
            form = ExportFormat(ending("--out", self.out, ".jsonl", ".csv", ".pgn", ".ggf"))
            goes_on = self.out.is_file() and self.out.stat().st_size > 0
        if form is ExportFormat.GGF and self.game != "othello":
            raise typer.BadParameter(
                f"--out {self.out}: GGF is for othello; for {self.game} write .pgn or .jsonl"
            )
        export = Export(form, EventInfo(self.event, control=control), goes_on=goes_on)
        return GameWriter(self.out, self.moves, lambda record: "".join(export.games([record])))

    def write_result(self, match: Match) -> None:
        if self.result is None:
            return
        export = Export(ExportFormat(self.result.suffix[1:].lower()), EventInfo(self.event))
        rows = export.rows([match_row(match.names, match.standing, match.test)])
        with writing("match", self.result):
            self.result.write_text("".join(rows) + export.end(), "utf-8", newline="")


@expanded
def main(options: Options) -> None:
    """Play many games between two players and estimate their difference in Elo.

    Without a limit, a move takes 100 ms. The interval of the Elo holds 95 %. If one player won
    every game, the Elo is a bound, such as > +533.

    Players:

        random  random:seed=7             any legal move
        greedy                            one ply ahead
        engine  engine:depth=6,hash=64    this engine (depth, movetime, nodes, hash, threads)
        engine:level=3                    this engine at a level from 1 to 10
        engine:book=0  engine:seed=7      without opening books; the same draws from the book
        engine:book=learnt.npz            with your own opening book
        "ugi:./my-engine --fast"          an engine that speaks UGI; or uci:, gtp:, nboard:
        "nboard?depth=12:./ntest"         the same, with its own limits
        "ugi:./engine?Hash=64&Threads=2"  with options that the engine offers
        python:mybots:Hasty               your own class, from mybots.py in this folder
        python?process=1:mybots:Hasty     the same in its own process
        tcp://host:7590  ws://host:7591?movetime=100    a server

    A player's own limits replace the limits of the match.

    With `--resign moves=4,score=500`, a player resigns when it reports for 4 moves in a row that it
    is behind by 500 hundredths. With `--draw after=40,moves=8,score=10`, a game is drawn after 40
    moves. Both players must report for 8 moves in a row that neither is ahead by more than 10
    hundredths. With `--sprt elo0=0,elo1=5`, the error rates are 0.05.

    Examples:

        plywire match engine:nodes=1000 random --games 100
        plywire match python:mybots:Hasty greedy --game othello
        plywire match engine "ugi:./my-engine" --tc 10+0.1 --random-plies 4 --concurrency 2
        plywire match engine:nodes=2000 engine:nodes=1000 --sprt elo0=0,elo1=10 --out games.pgn
        plywire match engine "engine:book=0" --tc-1 1+0.01 --tc-2 nodes=5000
        plywire match engine ws://localhost:7591 --game othello --out games.jsonl
    """
    console = screen()
    with refusing(OSError, ValueError):
        match = options.match()
        writer = options.writer(match.control)
    standing = match.standing
    try:
        with interruptible(), failing("match", MatchError, OSError):
            if any(isinstance(make(), EnginePlayer) for make in match.players):
                prepare_game(match.schedule.game)
            with MatchDisplay(console, match.schedule.games, match.test) as display:

                def finished(record: GameRecord) -> None:
                    writer.write(record)
                    display.update(standing, record, every=options.verbose)

                asyncio.run(match.play(finished))
    finally:
        if standing.tally.games:
            console.print(result_table(match.names, standing, match.test))
            print_failures(console, standing.failures)
            print_repetition(console, standing)
            options.write_result(match)
