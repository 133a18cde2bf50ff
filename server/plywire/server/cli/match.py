"""`plywire match`: two players, many games."""

from pathlib import Path
from typing import Annotated

import typer

from .common import (
    GameTime,
    MoveTime,
    Size,
    decimal,
    ending,
    fail,
    fields,
    refusing,
    screen,
    writing,
)
from .completion import complete_game, complete_player
from .preparing import prepare_game, searches_here

#: Of a sequential test, which takes fewer unless the truth lies between its hypotheses.
_MOST_GAMES = 100_000


def main(
    player_a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="Spec of player A; see below.", autocompletion=complete_player
        ),
    ],
    player_b: Annotated[
        str, typer.Argument(metavar="B", help="Spec of player B.", autocompletion=complete_player)
    ],
    game: Annotated[
        str, typer.Option(help="connect4, othello or tictactoe.", autocompletion=complete_game)
    ] = "connect4",
    size: Size = None,
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Number of games, with alternating colours; with --sprt, at most.",
            show_default=f"100, with --sprt {_MOST_GAMES}",
        ),
    ] = None,
    movetime: MoveTime = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Search depth, in plies.")] = None,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="Most positions to visit for a move.")
    ] = None,
    tc: GameTime = None,
    tc_1: Annotated[
        str | None,
        typer.Option("--tc-1", help="Limits of A alone, such as 10+0.1 or 10+0.1,depth=12."),
    ] = None,
    tc_2: Annotated[
        str | None, typer.Option("--tc-2", help="Limits of B alone, in the same form.")
    ] = None,
    margin: Annotated[
        int,
        typer.Option(
            min=0,
            help="Time that a move may come late before it loses, in ms.",
        ),
    ] = 100,
    patience: Annotated[
        float,
        typer.Option(
            parser=decimal(0.001, 86_400),
            metavar="SECONDS",
            help="Seconds of silence after the time until a player loses.",
        ),
    ] = 60,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="elo0=0,elo1=5",
            help="Stop when A is shown better by elo1 or only by elo0.",
        ),
    ] = None,
    resign: Annotated[
        str | None,
        typer.Option(
            metavar="moves=4,score=500",
            help="Resign for a player that reports such scores for several moves.",
        ),
    ] = None,
    draw: Annotated[
        str | None,
        typer.Option(
            metavar="after=40,moves=8,score=10",
            help="End as a draw when both players report such scores.",
        ),
    ] = None,
    openings: Annotated[
        Path | None,
        typer.Option(
            help="File of openings in any notation; two games play each.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    random_plies: Annotated[
        int, typer.Option(min=0, max=60, help="Number of random plies at the start instead.")
    ] = 0,
    seed: Annotated[
        int,
        typer.Option(help="Seed of the random plies."),
    ] = 0,
    concurrency: Annotated[
        int,
        typer.Option(
            min=1,
            help="Games at the same time; with limited time, at most the cores.",
        ),
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option(help="File to append each game to: .jsonl, .csv, .pgn or .ggf."),
    ] = None,
    result: Annotated[
        Path | None, typer.Option(help="File for the result of the match: .json or .csv.")
    ] = None,
    event: Annotated[str, typer.Option(help="Name of the match in PGN and GGF.")] = "plywire match",
    moves: Annotated[
        Path | None, typer.Option(help="File to append the moves of each game to, one a line.")
    ] = None,
    verbose: Annotated[bool, typer.Option(help="Print a line about each game.")] = False,
) -> None:
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
    import asyncio

    from plywire.clients.connecting.players.specs import (
        SpecError,
        parse_clock,
        parse_limits,
        parse_player,
    )
    from plywire.clients.play.matches.adjudication import DrawRule, EarlyEnd, ResignRule
    from plywire.clients.play.matches.match import MatchError, MatchStanding, Schedule, play_match
    from plywire.clients.play.matches.openings import OpeningError, read_openings
    from plywire.clients.play.matches.records import GameRecord, GameWriter
    from plywire.clients.play.matches.referee import TimeControl
    from plywire.clients.play.ratings.sprt import Verdict
    from plywire.clients.terminal.report import (
        MatchDisplay,
        print_failures,
        print_repetition,
        result_table,
    )
    from plywire.engine.game import RulesError
    from plywire.engine.registry import load
    from plywire.protocol.messages.limits import Limits
    from plywire.server.arena.reports.exports import EventInfo, Export, ExportFormat, match_row
    from plywire.server.arena.tournament.config import SprtSection

    console = screen()
    second = f"{player_b} (2)" if player_a == player_b else player_b
    with refusing(OpeningError, SpecError, RulesError, ValueError):
        kind = load(game, size)
        if (movetime, depth, nodes, tc) == (None, None, None, None):
            movetime = 100
        clock = None if tc is None else parse_clock(tc)
        limits = Limits(movetime=movetime, depth=depth, nodes=nodes, clock=clock)
        sides = {player_a: tc_1, second: tc_2}
        control = TimeControl(
            limits,
            {name: parse_limits(text) for name, text in sides.items() if text is not None},
            margin=margin,
            patience=round(patience * 1000),
        )
        players = parse_player(player_a), parse_player(player_b, name=second)
        given = openings and read_openings(kind, openings.read_bytes())
        count = games or (100 if sprt is None else _MOST_GAMES)
        schedule = Schedule(kind, count, given or (), random_plies, seed)
        schedule.opening(0)
        test = None if sprt is None else fields(sprt, SprtSection).test()
        early_end = EarlyEnd(
            resign=None if resign is None else fields(resign, ResignRule),
            draw=None if draw is None else fields(draw, DrawRule),
        )
        form = ExportFormat.JSONL
        if out is not None and out.suffix:
            form = ExportFormat(ending("--out", out, ".jsonl", ".csv", ".pgn", ".ggf"))
        if form is ExportFormat.GGF and game != "othello":
            raise typer.BadParameter(
                f"--out {out}: GGF is for othello; for {game} write .pgn or .jsonl"
            )
        if result is not None:
            ending("--result", result, ".json", ".csv")

    standing = MatchStanding()
    goes_on = out is not None and out.is_file() and out.stat().st_size > 0
    export = Export(form, EventInfo(event, control=control), goes_on=goes_on)
    writer = GameWriter(out, moves, lambda record: "".join(export.games([record])))

    def is_decided() -> bool:
        return test is not None and test.verdict(standing.tally.pentanomial) is not Verdict.CONTINUE

    try:
        if searches_here(*(make() for make in players)):
            prepare_game(kind)
        with MatchDisplay(console, count, test) as display:

            def finished(record: GameRecord) -> None:
                writer.write(record)
                standing.add(record)
                display.update(standing, record, every=verbose)

            match = play_match(
                *(schedule, players, control, finished),
                concurrency=concurrency,
                early_end=early_end,
                is_decided=is_decided,
            )
            asyncio.run(match)
    except KeyboardInterrupt:
        console.print("Interrupted.", style="yellow")
        raise typer.Exit(130) from None
    except (MatchError, OSError) as error:
        fail(error)
    finally:
        if standing.tally.games:
            names = (player_a, second)
            console.print(result_table(names, standing, test))
            print_failures(console, standing.failures)
            print_repetition(console, standing)
            if result is not None:
                table = Export(ExportFormat(result.suffix[1:].lower()), EventInfo(event))
                rows = table.rows([match_row(names, standing, test)])
                with writing("match", result):
                    result.write_text("".join(rows) + table.end(), "utf-8", newline="")
