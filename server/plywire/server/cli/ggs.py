"""`plywire ggs`: a player on GGS, the Generic Game Server, where Othello programs meet."""

import asyncio
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from plywire.clients.connecting.errors import ClientError, CommandError
from plywire.clients.connecting.ggs.acceptance import Acceptance
from plywire.clients.connecting.ggs.ask import Ask
from plywire.clients.connecting.ggs.bot import PORT, GgsBot
from plywire.clients.connecting.ggs.game import GameOver
from plywire.clients.connecting.ggs.match_type import MatchType
from plywire.clients.connecting.ggs.options import GgsOptions
from plywire.clients.connecting.players.specs import parse_player
from plywire.clients.play.errors import PlayerError
from plywire.clients.play.matches.records import append
from plywire.protocol.ggf import write_ggf
from plywire.protocol.text import printable
from plywire.server import log

from .common import ending, failing, refusing
from .completion import complete_player
from .options import expanded

#: The environment variable with the password. An option would be unsafe, because every user of the
#: machine can read arguments.
_PASSWORD = "PLYWIRE_GGS_PASSWORD"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a player on GGS."""

    server: Annotated[
        str, typer.Argument(metavar="HOST[:PORT]", help="Server; the default port is 5000.")
    ]
    login: Annotated[str, typer.Option(help="Name to log in with.")]
    player: Annotated[
        str,
        typer.Option(
            metavar="SPEC",
            help="Player spec of `plywire match`.",
            autocompletion=complete_player,
        ),
    ] = "engine"
    password_file: Annotated[
        Path | None,
        typer.Option(
            help=f"File with the password, if it is not in {_PASSWORD}.",
            exists=True,
            dir_okay=False,
        ),
    ] = None
    ask: Annotated[
        list[str] | None,
        typer.Option(
            metavar="'TYPE CLOCK [NAME]'",
            help="Match to ask for, such as `8 05:00//02:00`. Repeatable.",
        ),
    ] = None
    slots: Annotated[int, typer.Option(min=1, max=16, help="Most matches at the same time.")] = 1
    games: Annotated[
        int | None, typer.Option(min=1, help="End after this number of games; by default, never.")
    ] = None
    rated: Annotated[bool, typer.Option(help="Play rated games.")] = False
    accept: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TYPE",
            help="Type of match to accept, such as s8r. Repeatable; default all.",
        ),
    ] = None
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Player whose requests alone are accepted. Repeatable."),
    ] = None
    block: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Player whose requests are refused. Repeatable."),
    ] = None
    rating: Annotated[
        str | None,
        typer.Option(metavar="LOW:HIGH", help="Range of ratings of accepted players."),
    ] = None
    initial: Annotated[
        str | None,
        typer.Option(metavar="LOW:HIGH", help="Range of accepted time a game, in seconds."),
    ] = None
    reply: Annotated[str, typer.Option(help="Answer to each player who sends a text, once.")] = ""
    out: Annotated[Path | None, typer.Option(help="File to append the games to, in GGF.")] = None
    transcript: Annotated[
        Path | None,
        typer.Option(help="File for every line sent and received, without the password."),
    ] = None

    def bot(self) -> GgsBot:
        """Make the player without connecting it; raises ValueError or OSError for wrong options."""
        host, _, port = self.server.partition(":")
        if not host or (port and not port.isdecimal()):
            raise ValueError(f"no server {self.server!r}; write HOST or HOST:PORT")
        for name in self.accept or ():
            MatchType.parse(name)
        acceptance = Acceptance(
            types=tuple(self.accept or ()),
            rated=None if self.rated else False,
            rating=_range(self.rating),
            initial=_range(self.initial),
            only=tuple(self.only or ()),
            block=tuple(self.block or ()),
        )
        return GgsBot(
            host,
            int(port or PORT),
            self.login,
            self._password(),
            parse_player(self.player, self.login),
            GgsOptions(
                asks=[Ask.parse(text) for text in self.ask or ()],
                slots=self.slots,
                rated=self.rated,
                objection=acceptance.objection,
                reply=self.reply,
                on_over=self._over,
                on_line=self._line,
            ),
        )

    def _password(self) -> str:
        password = os.environ.get(_PASSWORD, "")
        if self.password_file is not None:
            password = (self.password_file.read_text("utf-8").splitlines() or [""])[0]
        if not password:
            raise ValueError(f"no password: set {_PASSWORD}, or give --password-file")
        return password

    def _over(self, game: GameOver) -> None:
        opponent = game.players[1 - game.me]
        lead = "" if game.score is None else f"{game.score:+g} "
        typer.echo(printable(f"{game.id}: {lead}against {opponent} {game.reason}".rstrip()))
        if self.out is not None:
            _keep(self.out, write_ggf(game.as_ggf(self.server)))

    def _line(self, mark: str, line: str) -> None:
        if self.transcript is not None:
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            _keep(self.transcript, printable(f"{now} {mark} {line}"))


@expanded
def main(options: Options) -> None:
    """Play Othello on GGS, the Generic Game Server, with any player.

    The command asks for matches and accepts requests. It plays several matches at once, with
    synchro games and random starts. It keeps the server's clock and comes back after a lost
    connection.

    The exit status is 0 when the games are played, and 1 when the server or the player cannot be
    reached any more. It is 2 when the arguments are wrong, and 3 when the server refuses the login.

    Examples:

        plywire ggs skatgame.net --login ann --password-file ~/.ggs --player engine:level=6

        plywire ggs skatgame.net --login ann --password-file ~/.ggs --player engine
        --ask "s8r20 05:00//02:00" --slots 2 --games 20 --out games.ggf

        plywire ggs skatgame.net --login ann --password-file ~/.ggs --player "nboard:./ntest"
        --accept 8 --accept s8r --initial 60:900 --rated
    """
    if options.out is not None and options.out.suffix:
        ending("--out", options.out, ".ggf")
    with refusing(ValueError, OSError):
        bot = options.bot()
    log.configure("info")
    with (
        failing("ggs", ClientError, PlayerError, OSError),
        failing("ggs: refused", CommandError, status=3),
    ):
        asyncio.run(bot.run(options.games))


def _keep(file: Path, line: str) -> None:
    with failing("ggs", OSError):  # Otherwise `main` would report a connection error.
        append(file, line + "\n")


def _range(text: str | None) -> tuple[float, float]:
    """Read `LOW:HIGH`. A missing number is no bound."""
    low, mark, high = (text or ":").partition(":")
    try:
        found = float(low or "-inf"), float(high or "inf")
    except ValueError:
        found = 1.0, 0.0
    if not mark or not found[0] <= found[1]:
        raise ValueError(f"no range {text!r}; write LOW:HIGH, such as 60:900 or 60:")
    return found
