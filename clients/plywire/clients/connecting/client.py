"""The client library: a game on a server, as an object.

    async with connect("ws://localhost:7591") as game:
        await game.new_game("othello")
        best = await game.go(movetime=100)
        await game.move(best.move)

If the connection is lost, the command that waits connects again, with exponential back-off. If none
waits, the next command connects. The client then restores the board, moves and options that the
server last confirmed, so no command is carried out twice.

A search starts again after the first loss, and repeats the reports of its first iterations. After a
second loss the search fails with ConnectionLostError, like any other command.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Generator
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self, TypeVar

from plywire.protocol.dialects.json import JsonDriving
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Event
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.review import USUAL_NODES, Review, ReviewAnswer, Reviewed

from .connection import ClientConnection, Listener
from .errors import BadServerError, ConnectionLostError
from .transports.open import open_transport
from .transports.url import split_url, without_password

E = TypeVar("E", bound=Event)

#: Maximum number of doublings of a delay. A thousand would exceed the range of numbers.
_DOUBLINGS = 60


@dataclass(frozen=True, slots=True)
class Backoff:
    """Number and delays of attempts to connect."""

    attempts: int = 8
    first: float = 0.1
    """Seconds to wait after the first failure; each further failure doubles the delay."""
    longest: float = 10.0
    """Longest delay, in seconds."""

    def delay(self, failures: int) -> float:
        """Return a delay in seconds, shortened at random so that clients do not return at once."""
        doubled = 2.0 ** min(failures - 1, _DOUBLINGS)
        return min(self.longest, self.first * doubled) * random.uniform(0.5, 1)


@dataclass(frozen=True, slots=True)
class _State:
    new_game: play.NewGame | None = None
    position: play.SetPosition = field(default_factory=play.SetPosition)
    options: tuple[play.SetOption, ...] = ()

    def after(self, command: Command) -> _State:
        match command:
            case play.NewGame():
                if command.game is None and self.new_game is not None:
                    same = self.new_game
                    command = command.model_copy(
                        update={"game": same.game, "size": command.size or same.size}
                    )
                return replace(self, new_game=command, position=play.SetPosition())
            case play.SetPosition():
                return replace(self, position=command)
            case play.Move():
                moves = self.position.moves + command.moves
                return self._with_moves(moves)
            case play.Undo():
                return self._with_moves(self.position.moves[: -command.count])
            case play.SetOption():
                others = tuple(o for o in self.options if o.name.lower() != command.name.lower())
                return replace(self, options=(*others, command))
        return self

    def restoring(self) -> list[Command]:
        asked: list[Command] = [*self.options]
        if self.new_game is not None:
            asked.append(self.new_game)
        if self.position != play.SetPosition():
            asked.append(self.position)
        return asked

    def _with_moves(self, moves: tuple[str, ...]) -> _State:
        return replace(self, position=self.position.model_copy(update={"moves": moves}))


class _AnswerLostError(ConnectionLostError):
    """The connection was lost after the command had been sent."""


class Client:
    """One game on a server.

    Every method raises CommandError if the server refuses the command. It raises
    ConnectionLostError if no server can be reached, and BadServerError if the server does not speak
    the protocol.
    """

    def __init__(self, url: str, *, backoff: Backoff | None = None, timeout: float = 10.0) -> None:
        """Set up a client without connecting; `open_transport` lists the forms of the URL.

        `timeout` is in seconds: for a connection, for each answer except a search's, and for signs
        of life during a search. Raises ValueError if the URL has another form.
        """
        split_url(url)
        self._url = url
        self._backoff = backoff or Backoff()
        self._timeout = timeout
        self._connection: ClientConnection | None = None
        self._connecting = asyncio.Lock()
        self._ordering = asyncio.Lock()
        self._state = _State()
        self._search: RemoteSearch | None = None

    async def __aenter__(self) -> Self:
        await self._connected()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection and end a running search; a later command connects again."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def hello(self) -> play.HelloAnswer:
        """Return the server's name, version, games and options."""
        return _of(play.HelloAnswer, await self._ask(play.Hello()))

    async def games(self) -> list[play.GameInfo]:
        """Return the games that the server offers."""
        offered: list[play.GameInfo] = []
        await self._ask(play.Games(), _collect(play.GameInfo, offered))
        return list({game.name: game for game in offered}.values())

    async def prepare(
        self,
        game: str | None = None,
        size: str | None = None,
        *,
        on_progress: Callable[[play.Preparing], object] | None = None,
    ) -> None:
        """Wait until the server's engine is ready for a game, by default the current game.

        `on_progress` is called about once a second. Searches may run meanwhile. Raises CommandError
        with the code `unavailable` if the game cannot be prepared.
        """

        def listen(event: Event) -> None:
            if on_progress is not None and isinstance(event, play.Preparing):
                on_progress(event)

        await self._ask_with_retry(play.Prepare(game=game, size=size), listen, None)

    async def new_game(self, game: str | None = None, size: str | None = None) -> None:
        """Start a game from its first position, by default the current game."""
        await self._ask(play.NewGame(game=game, size=size))

    async def position(self, fen: str | None = None, *moves: str) -> None:
        """Set up a position, by default the first of the game, and play moves from it."""
        await self._ask(play.SetPosition(fen=fen, moves=moves))

    async def move(self, *moves: str) -> None:
        """Play all of the moves, or none if one is illegal."""
        await self._ask(play.Move(moves=moves))

    async def undo(self, count: int = 1) -> None:
        """Take back moves."""
        await self._ask(play.Undo(count=count))

    async def option(self, name: str, value: str | int) -> None:
        """Set an engine option, such as `hash` (MB)."""
        await self._ask(play.SetOption(name=name, value=str(value)))

    async def legal(self) -> tuple[str, ...]:
        """Return the legal moves; none when the game is over."""
        return (await self._answer(play.Legal(), play.LegalAnswer)).moves

    async def show(self) -> play.ShowAnswer:
        """Return the board, the position string and the moves."""
        return await self._answer(play.Show(), play.ShowAnswer)

    async def eval(self) -> play.Score:
        """Return the static evaluation, for the side to move."""
        return (await self._answer(play.Eval(), play.EvalAnswer)).score

    async def result(self) -> play.ResultAnswer:
        """Return whose turn it is, or how the game ended."""
        return await self._answer(play.Result(), play.ResultAnswer)

    async def ping(self) -> None:
        """Ask for a sign of life; the server answers during a search, too."""
        await self._ask(play.Ping())

    async def stop(self) -> None:
        """End the running search; if the connection is lost meanwhile, the search fails."""
        if self._search is not None:
            self._search.stopped = True
        await self._ask(play.Stop())

    def go(
        self,
        limits: Limits | None = None,
        *,
        movetime: int | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        infinite: bool = False,
        multipv: int = 1,
        level: int | None = None,
    ) -> RemoteSearch:
        """Start a search of the position, with `limits` or with movetime (ms), depth and nodes.

        With a `level` from 1 to 10 the server plays at that strength, and only time limits count.
        Await the result for the best move, or iterate over it for reports. Raises ValueError if a
        limit is out of range.
        """
        if limits is None:
            limits = Limits(movetime=movetime, depth=depth, nodes=nodes, infinite=infinite)
        self._search = RemoteSearch(self, play.Go(limits=limits, multipv=multipv, level=level))
        return self._search

    async def review(
        self, *, nodes: int = USUAL_NODES, opening: int = 0, winner: Literal[1, 2] | None = None
    ) -> tuple[list[ReviewAnswer], Reviewed]:
        """Return the value of each move of the game, the last one first, and how well both played.

        `nodes` is for each position. The first `opening` moves are not judged. `winner` is the
        winner of a game that did not end on the board.
        """
        moves: list[ReviewAnswer] = []
        command = Review(nodes=nodes, opening=opening, winner=winner)
        ended = await self._ask_with_retry(command, _collect(ReviewAnswer, moves), None)
        # If the connection was lost, the review began again, and some moves were reported twice.
        return list({move.number: move for move in moves}.values()), _of(Reviewed, ended)

    async def _answer(self, command: Command, kind: type[E]) -> E:
        """Send a command, and return its last event of type `kind`."""
        answers: list[E] = []
        await self._ask(command, _collect(kind, answers))
        if not answers:
            raise BadServerError(f"the server answered {command.type} without saying anything")
        return answers[-1]

    async def _ask(self, command: Command, listener: Listener = lambda _: None) -> Any:
        """Send a command that is answered at once; connect first if necessary."""
        if isinstance(command, (play.Stop, play.Ping)):
            return await self._ask_with_retry(command, listener, self._timeout)
        # Commands go out one at a time: `_state` repeats them in this order on a new connection.
        async with self._ordering:
            closing = await self._ask_with_retry(command, listener, self._timeout)
            self._state = self._state.after(command)
            return closing

    async def _ask_with_retry(
        self,
        command: Command,
        listener: Listener,
        wait: float | None,
        again: Callable[[], bool] = lambda: True,
    ) -> Event:
        """Return an answer, which must come in `wait` seconds; ask again after one loss."""
        try:
            return await self._ask_once(await self._connected(), command, listener, wait)
        except _AnswerLostError:
            connection = await self._connected()
            if not again():
                raise
        return await self._ask_once(connection, command, listener, wait)

    @staticmethod
    async def _ask_once(
        connection: ClientConnection, command: Command, listener: Listener, wait: float | None
    ) -> Event:
        try:
            async with asyncio.timeout(wait):
                return await connection.ask(command, listener)
        except TimeoutError:
            await connection.close()
            raise _AnswerLostError(f"no answer to {command.type} in {wait} seconds") from None
        except ConnectionLostError as error:
            raise _AnswerLostError(str(error)) from error

    async def _connected(self) -> ClientConnection:
        async with self._connecting:
            if self._connection is not None and self._connection.is_open:
                return self._connection
            await self.close()
            failures = 0
            while True:
                try:
                    self._connection = await self._connect()
                    return self._connection
                except (OSError, ConnectionLostError) as error:
                    failures += 1
                    if failures >= self._backoff.attempts:
                        raise ConnectionLostError(
                            f"no connection to {without_password(self._url)}:"
                            f" {str(error) or 'no answer'}"
                        ) from error
                await asyncio.sleep(self._backoff.delay(failures))

    async def _connect(self) -> ClientConnection:
        async with asyncio.timeout(self._timeout):
            connection = ClientConnection(
                await open_transport(self._url), JsonDriving(), silence=self._timeout
            )
            try:
                for command in (play.Hello(), *self._state.restoring()):
                    await connection.ask(command)
            except BaseException:
                await connection.close()
                raise
            return connection


class RemoteSearch:
    """A running search: await its best move, or iterate over its reports.

    If the awaiting task is cancelled, the connection closes; the next command opens a new one.
    """

    def __init__(self, client: Client, command: play.Go) -> None:
        """Start the search at once; must be called within a running event loop."""
        self._client = client
        self._reports: asyncio.Queue[play.Info | None] = asyncio.Queue()
        self.stopped = False
        """Whether `stop` was sent; if so, the search must not start again."""
        self.on_info: Callable[[play.Info], object] | None = None
        self._lines: dict[int, play.Info] = {}
        self._task = asyncio.create_task(self._run(command))

    @property
    def lines(self) -> tuple[play.Info, ...]:
        """The latest report of each line, best line first."""
        return tuple(self._lines[rank] for rank in sorted(self._lines))

    def __await__(self) -> Generator[Any, None, play.BestMove]:
        return self._best().__await__()

    async def __aiter__(self) -> AsyncIterator[play.Info]:
        while (report := await self._reports.get()) is not None:
            yield report
        self._reports.put_nowait(None)
        await self

    async def stop(self) -> play.BestMove:
        """End the search at once, and return its best move."""
        if not self._task.done():
            await self._client.stop()
        return await self

    async def _best(self) -> play.BestMove:
        return await self._task

    async def _run(self, command: play.Go) -> play.BestMove:
        try:
            answer = await self._client._ask_with_retry(
                command, self._on_event, None, again=lambda: not self.stopped
            )
            return _of(play.BestMove, answer)
        except asyncio.CancelledError:
            await self._client.close()
            raise
        finally:
            self._reports.put_nowait(None)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, play.Info):
            self._lines[event.multipv] = event
            self._reports.put_nowait(event)
            if self.on_info is not None:
                self.on_info(event)


def connect(url: str, *, backoff: Backoff | None = None, timeout: float = 10.0) -> Client:
    """Return a `Client` to use with `async with`."""
    return Client(url, backoff=backoff, timeout=timeout)


def _collect(kind: type[E], into: list[E]) -> Callable[[Event], None]:

    def listen(event: Event) -> None:
        if isinstance(event, kind):
            into.append(event)

    return listen


def _of(kind: type[E], event: Event) -> E:
    if not isinstance(event, kind):
        raise BadServerError(f"the server answered with {event.type}")
    return event
