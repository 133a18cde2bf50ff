"""`plywire bot`: the accounts of an arena, and a program as a bot in one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import Arena, GameTime, MoveTime, Size, failing, refusing
from .completion import complete_game, complete_player
from .preparing import prepare_games, searches_here

if TYPE_CHECKING:
    from plywire.server.arena.store.accounts import Accounts

app = typer.Typer(rich_markup_mode="markdown")

Name = Annotated[str, typer.Argument(help="Letters, digits, `_`, `.` and `-`.")]


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    config: Annotated[
        Path | None,
        typer.Option(
            help="TOML file with any of these, and in a table `[accept]` whose challenges to take:"
            " games, rating, movetime, clock, block."
        ),
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(
            metavar="CMD", help="A program that speaks UGI, or another dialect with --dialect."
        ),
    ] = None,
    dialect: Annotated[
        str | None, typer.Option(help="ugi, uci, gtp or nboard.", show_default="ugi")
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="Instead of a program, a player of `plywire match`.",
            autocompletion=complete_player,
        ),
    ] = None,
    server: Annotated[
        str | None,
        typer.Option(
            help="tcp://HOST:PORT, ws://HOST:PORT or mqtt://BROKER/ARENA; over TLS tls://, wss:// "
            "and mqtts://.",
            show_default="ws://127.0.0.1:7591",
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="The bot's name.")] = None,
    token: Annotated[
        str | None, typer.Option(envvar="PLYWIRE_TOKEN", help="What `plywire bot add` printed.")
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            help="The game to offer.", show_default="connect4", autocompletion=complete_game
        ),
    ] = None,
    size: Size = None,
    movetime: MoveTime = None,
    tc: GameTime = None,
    challenge: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Challenge that bot, over and over. Repeatable."),
    ] = None,
    join: Annotated[
        str | None, typer.Option(metavar="TOURNAMENT", help="Join it, and leave when it is over.")
    ] = None,
    seek: Annotated[
        bool | None,
        typer.Option(
            help="Seek games of anybody.",
            show_default="seek, or with --challenge or --join no-seek",
        ),
    ] = None,
    rated: Annotated[
        bool | None,
        typer.Option(
            help="Offer rated games, by seeking those of the ladder, and take challenges to them.",
            show_default="no-rated",
        ),
    ] = None,
    slots: Annotated[
        int | None, typer.Option(min=1, max=64, help="Games at the same time.", show_default="1")
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=1, help="Leave after that many; never, by default.")
    ] = None,
    greeting: Annotated[
        str | None, typer.Option(help="Say that to each opponent when a game begins.")
    ] = None,
) -> None:
    """Play in a server's arena, with any program that speaks UGI, UCI, GTP or NBoard.

    A program that crashes is started again, a lost connection made again; games go on. Without a
    time control, games are offered at 1000 ms a move. The status is 0 when the bot is done, 1 when
    the server or the program cannot be reached any more, 2 when the flags or the file are wrong, 3
    when the server refuses the bot for good.

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
    import asyncio
    import shlex
    from functools import partial

    from plywire.clients.arena_bot import ArenaBot
    from plywire.clients.errors import ClientError, CommandError, PlayerError, ReplacedError
    from plywire.clients.matches.outcomes import sentence
    from plywire.clients.players.external import ExternalPlayer
    from plywire.clients.players.specs import parse_player
    from plywire.engine.registry import load, names
    from plywire.protocol.messages.arena import Over
    from plywire.server import log

    from .bot_config import read_bot_config

    def over(ended: Over) -> None:
        if (start := playing.start_of(ended.table)) is None:
            return
        names = (bot.name, start.opponent) if start.player == 1 else (start.opponent, bot.name)
        who = {None: "nobody", start.player: "you"}.get(ended.winner, start.opponent)
        how = sentence(names, ended.winner, None, ended.reason, ended.termination)
        typer.echo(f"{ended.table}: {who} won: {how}")

    given = {key: value for key, value in context.params.items() if value not in (None, [])}
    given.pop("config", None)
    with refusing(ValueError, OSError):
        bot = read_bot_config(config, given)
        if bot.engine is not None:
            command = shlex.split(bot.engine)
            ExternalPlayer(command, bot.dialect)
            make = partial(ExternalPlayer, command, bot.dialect, name=bot.name)
        else:
            make = parse_player(bot.player or "", bot.name)  # type: ignore[assignment]
        plays = make().games
        if plays and bot.offers() and bot.game not in plays:
            raise ValueError(f"{bot.player} plays {' and '.join(plays)}, not {bot.game}")
        playing = ArenaBot(
            bot.server,
            bot.name,
            bot.token,
            make,
            offers=bot.offers(),
            join=bot.join,
            games=plays,
            slots=bot.slots,
            objection=bot.accept.objection,
            greeting=bot.greeting,
            rated=bot.rated,
            on_over=over,
        )
    log.configure("info")
    if searches_here(make()):
        offered = {(offer.game, offer.size) for offer in bot.offers()}
        # Whoever challenges the bot, and a tournament, may choose other games.
        accepted = (bot.accept.games if not bot.join else ()) or names()
        prepare_games(load(*named) for named in [*offered, *((name, None) for name in accepted)])
    with failing("bot", ClientError, PlayerError):
        try:
            asyncio.run(playing.run(bot.games))
        except KeyboardInterrupt:
            raise typer.Exit(130) from None
        except (CommandError, ReplacedError) as error:
            typer.echo(f"plywire bot: refused: {error}", err=True)
            raise typer.Exit(3) from None


@app.command()
def add(
    name: Name,
    arena: Arena,
    owner: Annotated[
        str, typer.Option(help="Whose bot it is: bots of one owner play no rated games.")
    ] = "",
) -> None:
    """Make an account, and print its token: it is shown this once, and kept nowhere."""
    with _accounts(arena) as accounts:
        typer.echo(accounts.add(name, owner))


@app.command("list")
def list_bots(arena: Arena) -> None:
    """List the accounts."""
    with _accounts(arena) as accounts:
        for name, created, owner in accounts.names():
            typer.echo(f"{name}  {created}  {owner}".rstrip())


@app.command()
def remove(name: Name, arena: Arena) -> None:
    """Delete an account; its bot is logged out within a second, and loses its games."""
    with _accounts(arena) as accounts:
        accounts.remove(name)


@contextmanager
def _accounts(arena: Arena) -> "Iterator[Accounts]":
    from plywire.server.arena.store.accounts import AccountError, accounts_of

    with failing("bot", AccountError):
        yield accounts_of(arena)
