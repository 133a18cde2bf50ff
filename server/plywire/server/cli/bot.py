"""`plywire bot`: the accounts of an arena, and an engine or a class as a bot."""

import asyncio
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from plywire.clients.connecting.errors import ClientError, CommandError, ReplacedError
from plywire.clients.play.errors import PlayerError
from plywire.clients.play.players.local import EnginePlayer
from plywire.server import log
from plywire.server.arena.store.accounts import AccountError, accounts_of

from .bot_config import read_bot_config
from .common import Arena, GameTime, MoveTime, Size, failing, refusing
from .completion import complete_game, complete_player
from .options import expanded
from .preparing import prepare_game

app = typer.Typer(rich_markup_mode="markdown")

Name = Annotated[str, typer.Argument(help="Name of the bot: letters, digits, `_`, `.` and `-`.")]


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags of `plywire bot`. The file decides where a flag is missing."""

    engine: Annotated[
        str | None,
        typer.Option(metavar="CMD", help="Command of an engine that speaks UGI, or the --dialect."),
    ] = None
    dialect: Annotated[
        str | None,
        typer.Option(help="Dialect of the engine: ugi, uci, gtp or nboard.", show_default="ugi"),
    ] = None
    player: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="Player spec of `plywire match` instead of an engine.",
            autocompletion=complete_player,
        ),
    ] = None
    server: Annotated[
        str | None,
        typer.Option(
            help="Server: `ws://HOST:PORT`, `tcp://HOST:PORT` or `mqtt://BROKER/ARENA`.",
            show_default="ws://127.0.0.1:7591",
        ),
    ] = None
    name: Annotated[str | None, typer.Option(help="Name of the bot.")] = None
    token: Annotated[
        str | None,
        typer.Option(envvar="PLYWIRE_TOKEN", help="Token that `plywire bot add` printed."),
    ] = None
    game: Annotated[
        str | None,
        typer.Option(help="Game to offer.", show_default="connect4", autocompletion=complete_game),
    ] = None
    size: Size = None
    movetime: MoveTime = None
    tc: GameTime = None
    challenge: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Bot to challenge, again and again. Repeatable."),
    ] = None
    join: Annotated[
        str | None,
        typer.Option(metavar="TOURNAMENT", help="Tournament to join; the command ends with it."),
    ] = None
    seek: Annotated[
        bool | None,
        typer.Option(
            help="Seek games with any bot.",
            show_default="seek, or with --challenge or --join no-seek",
        ),
    ] = None
    rated: Annotated[
        bool | None,
        typer.Option(
            help="Offer rated games on the ladder, and accept rated challenges.",
            show_default="no-rated",
        ),
    ] = None
    slots: Annotated[
        int | None, typer.Option(min=1, max=64, help="Games at the same time.", show_default="1")
    ] = None
    games: Annotated[
        int | None, typer.Option(min=1, help="End after this number of games; by default, never.")
    ] = None
    greeting: Annotated[
        str | None, typer.Option(help="Text for each opponent when a game begins.")
    ] = None


@app.callback(invoke_without_command=True)
@expanded
def main(
    context: typer.Context,
    config: Annotated[
        Path | None,
        typer.Option(help="TOML file with any of these options, and a table `[accept]`."),
    ] = None,
    *,
    flags: Flags,
) -> None:
    """Play in a server's arena with any engine or class.

    The engine speaks UGI, UCI, GTP or NBoard. If it crashes, it is started again. If the connection
    is lost, the bot connects again, and games go on. Without a time control, the bot offers games
    at 1000 ms a move.

    The exit status is 0 when the bot is done, and 1 when the server or the engine cannot be reached
    any more. It is 2 when the options or the file are wrong, and 3 when the server refuses the bot
    for good.

    Examples:

        plywire bot --engine "./my-engine --fast" --name ann --token TOKEN

        plywire bot --engine ./my-engine --challenge bob --games 10 --name ann --token TOKEN

        plywire bot --engine ./my-engine --join "Friday cup" --name ann --token TOKEN

        plywire bot --player engine:depth=6 --game othello --tc 60+0.5 --name bob --token TOKEN

        plywire bot --engine ./my-engine --rated --name ann --token TOKEN

        plywire bot --config bot.toml

        plywire bot add ann --arena arena
    """
    if context.invoked_subcommand is not None:
        return
    given = {name: value for name, value in asdict(flags).items() if value not in (None, [])}
    with refusing(ValueError, OSError):
        bot = read_bot_config(config, given)
        make = bot.player_factory()
        playing = bot.arena_bot(make, typer.echo)
    log.configure("info")
    if isinstance(make(), EnginePlayer):
        for game in bot.games_to_prepare():
            prepare_game(game)
    with (
        failing("bot", ClientError, PlayerError),
        failing("bot: refused", CommandError, ReplacedError, status=3),
    ):
        asyncio.run(playing.run(bot.games))


@app.command()
def add(
    name: Name,
    arena: Arena,
    owner: Annotated[str, typer.Option(help="Owner; bots of one owner play no rated games.")] = "",
) -> None:
    """Add an account and print its token, which is shown only once."""
    with failing("bot", AccountError):
        accounts = accounts_of(arena)
        typer.echo(accounts.add(name, owner))


@app.command("list")
def list_bots(arena: Arena) -> None:
    """List the accounts."""
    with failing("bot", AccountError):
        accounts = accounts_of(arena)
        for name, created, owner in accounts.names():
            typer.echo(f"{name}  {created}  {owner}".rstrip())


@app.command()
def remove(name: Name, arena: Arena) -> None:
    """Remove an account; its bot loses its games within a second."""
    with failing("bot", AccountError):
        accounts = accounts_of(arena)
        accounts.remove(name)
