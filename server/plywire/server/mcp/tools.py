"""The tools for language models, and the server that offers them."""

import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import wraps
from importlib.metadata import version
from typing import Annotated, Literal, ParamSpec, TypeVar
from urllib.parse import urlsplit

from mcp.server import MCPServer
from mcp.server.mcpserver import Image
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import Field

from plywire.clients.connecting.transports.mqtt_url import bracketed
from plywire.clients.play.board_image import board_png
from plywire.protocol.messages.arena import Seek
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import MAX_LEVEL
from plywire.server.transports.addresses import is_everywhere

from .model_games import ModelGames, ToolRefusedError
from .seats import Account, Seats
from .state import Advice, ArenaState, GameReview, GameState

P = ParamSpec("P")
R = TypeVar("R")

_INSTRUCTIONS = """\
Connect Four (connect4), Othello and Tic-Tac-Toe. new_game begins a game; play makes a move of
either side, by one of the names in `legal`; ask_engine says what the engine would play, so against
it play your move, ask, and play what it said. review tells afterwards which moves were mistakes, by
exact values. arena_join takes a place in a server's arena, or in a tournament there: arena_turn
waits for your turn, arena_play makes the move before the clock is over. The engine helps in no game
of the arena."""

GameId = Annotated[str, Field(description="As new_game named it.")]
SeatId = Annotated[str, Field(description="As arena_join named it.")]
MoveName = Annotated[str, Field(description="One of the legal moves, such as 4 or d3.")]


class Tools:
    """The tools of models; each docstring is the description that models read."""

    def __init__(self, games: ModelGames, seats: Seats, account: Account) -> None:
        """Offer games, and seats in an arena with `account` unless a model names another."""
        self._games = games
        self._seats = seats
        self._account = account

    async def new_game(
        self,
        game: Annotated[str, Field(description="connect4, othello or tictactoe.")] = "connect4",
        size: Annotated[str | None, Field(description="WIDTHxHEIGHT; connect4 only.")] = None,
        fen: Annotated[
            str | None, Field(description="A position or a game to begin with, in any notation.")
        ] = None,
    ) -> GameState:
        """Begin a game."""
        return self._games.new(game, size, fen)

    async def show_board(self, game: GameId) -> list[str | Image]:
        """Show the board as text and as a picture; x is the first player, o the second."""
        position = self._games.board(game).line.position
        return [position.board(), Image(data=board_png(position), format="png")]

    async def legal_moves(self, game: GameId) -> list[str]:
        """List the moves that can be made; none once the game is over."""
        return [move.name for move in self._games.board(game).legal_moves]

    async def play(self, game: GameId, move: MoveName) -> GameState:
        """Make a move for the side whose turn it is."""
        return self._games.play(game, move)

    async def ask_engine(
        self,
        game: GameId,
        level: Annotated[
            int | None, Field(ge=1, le=MAX_LEVEL, description="From 1, easy; else its best.")
        ] = None,
        movetime: Annotated[int, Field(ge=1, description="Most time to think, in ms.")] = 1000,
    ) -> Advice:
        """Ask which move the engine would play; the move is not made."""
        self._check_help()
        return await self._games.advise(game, level, movetime)

    async def review(self, game: GameId) -> GameReview:
        """Judge each move that was made, by exact values where they can be proven."""
        self._check_help()
        return await self._games.review(game)

    async def arena_join(
        self,
        game: Annotated[str, Field(description="To play; of no tournament.")] = "connect4",
        tournament: Annotated[str | None, Field(description="Name of one to join.")] = None,
        movetime: Annotated[int, Field(ge=1, description="Time a move to offer, in ms.")] = 60_000,
        games: Annotated[int, Field(ge=1, le=100, description="To seek.")] = 1,
        rated: Annotated[bool, Field(description="Seek rated games.")] = False,
        name: Annotated[str, Field(description="Of the bot, unless it is set up here.")] = "",
        token: Annotated[str, Field(description="Its token, unless it is set up here.")] = "",
    ) -> ArenaState:
        """Take a seat in the arena: join a tournament, or seek games with any bot."""
        own = self._account
        account = Account(own.url, name or own.name, token or own.token)
        if not account.name or not account.token:
            raise ToolRefusedError("name and token are needed; `plywire bot add` makes them")
        seek = Seek(game=game, limits=Limits(movetime=movetime), rated=rated)
        if tournament:
            return (await self._seats.join(account, tournament=tournament)).state
        return (await self._seats.join(account, offers=[seek], games=games)).state

    async def arena_turn(
        self,
        seat: SeatId,
        wait: Annotated[float, Field(ge=0, le=60, description="So many seconds at most.")] = 30,
    ) -> ArenaState:
        """Wait until it is your turn or all games are over, and show the state of the seat."""
        return await self._seats.seat(seat).wait(wait)

    async def arena_board(self, seat: SeatId) -> list[str | Image]:
        """Show the board on your turn, as text and as a picture."""
        position = self._seats.seat(seat).line.position
        return [position.board(), Image(data=board_png(position), format="png")]

    async def arena_play(self, seat: SeatId, move: MoveName) -> ArenaState:
        """Make your move. An illegal move is refused, and the clock runs on."""
        return self._seats.seat(seat).play(move)

    async def arena_leave(self, seat: SeatId) -> str:
        """Give the seat up; a game in progress there is lost unless you join again."""
        await self._seats.leave(seat)
        return "left"

    def _check_help(self) -> None:
        if self._seats.is_playing:
            raise ToolRefusedError(
                "no help of the engine while a game of the arena is played here, or goes on after"
                " arena_leave"
            )


def make_server(
    games: ModelGames,
    seats: Seats,
    account: Account,
    *,
    log_level: Literal["INFO", "WARNING"] = "WARNING",
) -> MCPServer[object]:
    """Make the server, for any transport; at `INFO`, it logs where it listens."""
    server: MCPServer[object] = MCPServer(
        "plywire", instructions=_INSTRUCTIONS, version=version("plywire"), log_level=log_level
    )
    tools = Tools(games, seats, account)
    for name in (tool for tool in vars(Tools) if not tool.startswith("_")):
        server.add_tool(_telling(getattr(tools, name)))
    return server


def security(host: str, origins: Sequence[str]) -> TransportSecuritySettings:
    """Return the settings by which the server checks the `Host` and `Origin` of requests.

    A request must name the server by a name of its machine, or by `host`, on which the server
    listens. Names in `origins`, such as `https://games.example.org`, are accepted, too.
    """
    names = {"127.0.0.1", "localhost", "::1", socket.gethostname()}
    if is_everywhere(host):
        with suppress(OSError):
            names |= {str(found[4][0]) for found in socket.getaddrinfo(socket.gethostname(), None)}
    else:
        names.add(host)
    own = [bracketed(name) for name in sorted(names)]
    hosts = [*own, *(urlsplit(origin).netloc for origin in origins)]
    pages = [*(f"http://{name}" for name in own), *origins]
    return TransportSecuritySettings(
        allowed_hosts=[pattern for name in hosts for pattern in (name, f"{name}:*")],
        allowed_origins=[pattern for page in pages for pattern in (page, f"{page}:*")],
    )


def _telling(tool: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
    """Make a tool that sends the message of a ValueError to the model."""

    @wraps(tool)
    async def call(*arguments: P.args, **named: P.kwargs) -> R:
        try:
            return await tool(*arguments, **named)
        except ValueError as error:
            raise ToolError(str(error)) from None

    return call
