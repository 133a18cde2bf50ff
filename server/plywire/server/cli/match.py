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
        typer.Argument(metavar="A", help="A player; see below.", autocompletion=complete_player),
    ],
    player_b: Annotated[
        str, typer.Argument(metavar="B", help="Its opponent.", autocompletion=complete_player)
    ],
    game: Annotated[
        str, typer.Option(help="connect4, othello or tictactoe.", autocompletion=complete_game)
    ] = "connect4",
    size: Size = None,
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="How many games, colours alternating; with --sprt at most.",
            show_default=f"100, with --sprt {_MOST_GAMES}",
        ),
    ] = None,
    movetime: MoveTime = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Search depth, in plies.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Positions a move.")] = None,
    tc: GameTime = None,
    tc_1: Annotated[
        str | None,
        typer.Option(
            "--tc-1", help="What A has instead, such as 10+0.1, nodes=5000 or 10+0.1,depth=12."
        ),
    ] = None,
    tc_2: Annotated[str | None, typer.Option("--tc-2", help="What B has instead.")] = None,
    margin: Annotated[
        int,
        typer.Option(
            min=0,
            help="How far a move may come after its time, in ms, before it loses by time: the way"
            " of the answer takes some. A clock is charged for it all the same.",
        ),
    ] = 100,
    patience: Annotated[
        float,
        typer.Option(
            parser=decimal(0.001, 86_400),
            metavar="SECONDS",
            help="Seconds that a player may be silent after its time and the margin, or in all if"
            " it has no time limit, before it loses by a stall, and its program is ended.",
        ),
    ] = 60,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="elo0=0,elo1=5",
            help="Stop when it is clear whether A is better by elo1 or only by elo0, at error rates"
            " alpha and beta of 0.05.",
        ),
    ] = None,
    resign: Annotated[
        str | None,
        typer.Option(
            metavar="moves=4,score=500",
            help="A player has resigned that told in so many moves in a row that it was behind by"
            " score hundredths.",
        ),
    ] = None,
    draw: Annotated[
        str | None,
        typer.Option(
            metavar="after=40,moves=8,score=10",
            help="A draw after that many moves, if both told in so many moves in a row that neither"
            " was ahead by more.",
        ),
    ] = None,
    openings: Annotated[
        Path | None,
        typer.Option(
            help="File of openings in any notation; each is played twice with colours swapped.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    random_plies: Annotated[
        int, typer.Option(min=0, max=60, help="Begin with that many random plies instead.")
    ] = 0,
    seed: Annotated[
        int,
        typer.Option(
            help="Of the random plies; players draw by seeds of their own, as random:seed=7."
        ),
    ] = 0,
    concurrency: Annotated[
        int,
        typer.Option(
            min=1,
            help="Games at the same time, with players of their own. One player of a game thinks at"
            " a time: where time is limited, no more than the machine has cores.",
        ),
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Append each game to this file, .jsonl (a JSON object a line), .csv, .pgn or .ggf."
        ),
    ] = None,
    result: Annotated[
        Path | None, typer.Option(help="Write how the match ended to this file, .json or .csv.")
    ] = None,
    event: Annotated[str, typer.Option(help="What PGN and GGF call the match.")] = "plywire match",
    moves: Annotated[
        Path | None, typer.Option(help="Append each game's moves to this file, a game a line.")
    ] = None,
    verbose: Annotated[bool, typer.Option(help="Print a line about each game.")] = False,
) -> None:
    """Play games between two players and estimate the difference of their strength.

    Without a limit, a move takes 100 ms. The Elo interval holds 95 %; where one player won
    everything it is a bound, such as > +533.

    Players:

        random  random:seed=7             any legal move
        greedy                            one ply ahead
        engine  engine:depth=6,hash=64    this engine (depth, movetime, nodes, hash, threads)
        engine:level=3                    as hard as that, from 1 to 10
        engine:book=0  engine:seed=7      without opening books; drawing the same moves of them
        engine:book=learnt.npz            with an opening book of your own
        "ugi:./my-engine --fast"          a program that speaks UGI; uci:, gtp:, nboard: likewise
        "nboard?depth=12:./ntest"         the same, with limits of its own
        "ugi:./engine?Hash=64&Threads=2"  with options that the program offers
        python:mybots:Hasty               a class of your own, from mybots.py in this folder
        python?process=1:mybots:Hasty     the same in a process of its own
        tcp://host:7590  ws://host:7591?movetime=100    a server

    A player's own limits replace those of the match.

    Examples:

        plywire match engine:nodes=1000 random --games 100
        plywire match python:mybots:Hasty greedy --game othello
        plywire match engine "ugi:./my-engine" --tc 10+0.1 --random-plies 4 --concurrency 2
        plywire match engine:nodes=2000 engine:nodes=1000 --sprt elo0=0,elo1=10 --out games.pgn
        plywire match engine "engine:book=0" --tc-1 1+0.01 --tc-2 nodes=5000
        plywire match engine ws://localhost:7591 --game othello --out games.jsonl
    """
    import asyncio

    from plywire.clients.matches.adjudication import DrawRule, EarlyEnd, ResignRule
    from plywire.clients.matches.match import MatchError, MatchStanding, Schedule, play_match
    from plywire.clients.matches.openings import OpeningError, read_openings
    from plywire.clients.matches.records import GameRecord, GameWriter
    from plywire.clients.matches.referee import TimeControl
    from plywire.clients.players.specs import SpecError, parse_clock, parse_limits, parse_player
    from plywire.clients.ratings.sprt import Verdict
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
            raise typer.BadParameter(f"--out {out}: GGF has games of othello alone")
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
