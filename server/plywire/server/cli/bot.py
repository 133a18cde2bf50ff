"""`plywire bot`: the accounts of an arena, and a program as a bot in one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from .common import Arena, GameTime, MoveTime, Size, failing, refusing

if TYPE_CHECKING:
    from plywire.server.arena.store.accounts import Accounts

app = typer.Typer(rich_markup_mode="markdown")

Name = Annotated[str, typer.Argument(help="Letters, digits, `_`, `.` and `-`.")]


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    engine: Annotated[
        str | None,
        typer.Option(
            metavar="CMD", help="A program that speaks UGI, or another dialect with --dialect."
        ),
    ] = None,
    dialect: Annotated[str, typer.Option(help="ugi, uci, gtp or nboard.")] = "ugi",
    player: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Instead of a program, a player of `plywire match`."),
    ] = None,
    server: Annotated[
        str,
        typer.Option(
            help="tcp://HOST:PORT, ws://HOST:PORT or mqtt://BROKER/ARENA; over TLS tls://, wss:// "
            "and mqtts://."
        ),
    ] = "ws://127.0.0.1:7591",
    name: Annotated[str, typer.Option(help="The bot's name.")] = "",
    token: Annotated[
        str, typer.Option(envvar="PLYWIRE_TOKEN", help="What `plywire bot add` printed.")
    ] = "",
    game: Annotated[str, typer.Option(help="The game to seek.")] = "connect4",
    size: Size = None,
    movetime: MoveTime = None,
    tc: GameTime = None,
    join: Annotated[
        str | None, typer.Option(metavar="TOURNAMENT", help="Join it, and leave when it is over.")
    ] = None,
    seek: Annotated[
        bool | None,
        typer.Option(
            help="Seek games, not only accept challenges.",
            show_default="seek, or with --join no-seek",
        ),
    ] = None,
    slots: Annotated[int, typer.Option(min=1, max=64, help="Games at the same time.")] = 1,
    games: Annotated[
        int | None, typer.Option(min=1, help="Leave after that many; never, by default.")
    ] = None,
) -> None:
    """Play in a server's arena, with any program that speaks UGI, UCI, GTP or NBoard.

    A program that crashes is started again, a lost connection made again; games go on.
    Without a time control, games are sought at 1000 ms a move.

    Examples:

        plywire bot --engine "./my-engine --fast" --name ann --token TOKEN

        plywire bot --engine ./my-engine --join "Friday cup" --name ann --token TOKEN

        plywire bot --player engine:depth=6 --game othello --tc 60+0.5 --name bob --token TOKEN

        plywire bot add ann --arena arena
    """
    if context.invoked_subcommand is not None:
        return
    import asyncio
    import shlex
    from functools import partial

    from pydantic import ValidationError

    from plywire.clients.arena_bot import ArenaBot
    from plywire.clients.errors import ClientError, PlayerError
    from plywire.clients.players.external import ExternalPlayer
    from plywire.clients.players.specs import SpecError, parse_clock, parse_player
    from plywire.engine.game import RulesError
    from plywire.engine.registry import load
    from plywire.protocol.messages.arena import Over, Seek
    from plywire.protocol.messages.limits import Limits
    from plywire.server import log

    if (engine is None) == (player is None):
        raise typer.BadParameter("give either --engine CMD or --player SPEC")
    if not name or not token:
        raise typer.BadParameter("--name and --token are needed; `plywire bot add` makes them")

    def over(ended: Over) -> None:
        who = f"player {ended.winner} won" if ended.winner else "nobody won"
        typer.echo(f"{ended.table}: {who}, {ended.termination}: {ended.reason}")

    with refusing(SpecError, RulesError, ValidationError, ValueError):
        if engine is not None:
            command = shlex.split(engine)
            ExternalPlayer(command, dialect)
            make = partial(ExternalPlayer, command, dialect, name=name)
        else:
            make = parse_player(player or "", name)  # type: ignore[assignment]
        kind = load(game, size)
        seeks = join is None if seek is None else seek
        limits = Limits(
            movetime=1000 if (movetime, tc) == (None, None) else movetime,
            clock=None if tc is None else parse_clock(tc),
        )
        bot = ArenaBot(
            server,
            name,
            token,
            make,
            seek=Seek(game=kind.name, size=kind.size, limits=limits) if seeks else None,
            join=join,
            slots=slots,
            on_over=over,
        )
    log.configure("info")
    with failing("bot", ClientError, PlayerError):
        try:
            asyncio.run(bot.run(games))
        except KeyboardInterrupt:
            raise typer.Exit(130) from None


@app.command()
def add(name: Name, arena: Arena) -> None:
    """Make an account, and print its token: it is shown this once, and kept nowhere."""
    with _accounts(arena) as accounts:
        typer.echo(accounts.add(name))


@app.command("list")
def list_bots(arena: Arena) -> None:
    """List the accounts."""
    with _accounts(arena) as accounts:
        for name, created in accounts.names():
            typer.echo(f"{name}  {created}")


@app.command()
def remove(name: Name, arena: Arena) -> None:
    """Delete an account; its bot is logged out within a second, and loses its games."""
    with _accounts(arena) as accounts:
        accounts.remove(name)


@contextmanager
def _accounts(arena: Arena) -> "Iterator[Accounts]":
    from plywire.server.arena.arena import accounts_of
    from plywire.server.arena.store.accounts import AccountError

    with failing("bot", AccountError):
        yield accounts_of(arena)
