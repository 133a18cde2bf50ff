"""`plywire bot`: the accounts of an arena, and a program as a bot in one."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(rich_markup_mode="markdown")

Arena = Annotated[Path, typer.Option(envvar="PLYWIRE_ARENA", help="The server's arena folder.")]
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
    size: Annotated[str | None, typer.Option(help="Board size as WIDTHxHEIGHT.")] = None,
    movetime: Annotated[int | None, typer.Option(min=1, help="Time a move, in ms.")] = None,
    tc: Annotated[
        str | None,
        typer.Option(
            help="Seconds a game and increment a move, such as 10+0.1,"
            " or then byo-yomi periods, such as 60+3x30."
        ),
    ] = None,
    join: Annotated[
        str | None,
        typer.Option(metavar="TOURNAMENT", help="Join it, and leave when it is over."),
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

    try:
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
    except (SpecError, RulesError, ValidationError, ValueError) as error:
        raise typer.BadParameter(str(error)) from None
    log.configure("info")
    try:
        asyncio.run(bot.run(games))
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except (ClientError, PlayerError) as error:
        typer.echo(f"plywire bot: {error}", err=True)
        raise typer.Exit(1) from None


@app.command()
def add(name: Name, arena: Arena) -> None:
    """Make an account, and print its token: it is shown this once, and kept nowhere."""
    from plywire.server.arena.arena import accounts_of
    from plywire.server.arena.store.accounts import AccountError

    try:
        typer.echo(accounts_of(arena).add(name))
    except AccountError as error:
        _fail(error)


@app.command("list")
def list_bots(arena: Arena) -> None:
    """List the accounts."""
    from plywire.server.arena.arena import accounts_of
    from plywire.server.arena.store.accounts import AccountError

    try:
        for name, created in accounts_of(arena).names():
            typer.echo(f"{name}  {created}")
    except AccountError as error:
        _fail(error)


@app.command()
def remove(name: Name, arena: Arena) -> None:
    """Delete an account; its bot is logged out within a second, and loses its games."""
    from plywire.server.arena.arena import accounts_of
    from plywire.server.arena.store.accounts import AccountError

    try:
        accounts_of(arena).remove(name)
    except AccountError as error:
        _fail(error)


def _fail(error: Exception) -> None:
    typer.echo(f"plywire bot: {error}", err=True)
    raise typer.Exit(1)
