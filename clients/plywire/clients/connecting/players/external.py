"""A program that speaks a line protocol, as a player."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import TypeVar

from plywire.clients.connecting.connection import ClientConnection, Listener
from plywire.clients.connecting.errors import (
    BadServerError,
    ClientError,
    CommandError,
    ConnectionLostError,
)
from plywire.clients.connecting.transports.process import ProcessTransport
from plywire.clients.connecting.transports.transcript import Transcript
from plywire.clients.play.errors import (
    PlayerCrashedError,
    PlayerGarbledError,
    PlayerIllegalMoveError,
    PlayerResignedError,
    PlayerStalledError,
    PlayerUnfitError,
)
from plywire.clients.play.players.base import STARTUP, GameLine, Player
from plywire.engine.game import Game, IllegalMoveError, Position
from plywire.protocol.controller_connection import OddLine
from plywire.protocol.dialects import DRIVING
from plywire.protocol.dialects.engine_options import check_options
from plywire.protocol.errors import UnspeakableError
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Event
from plywire.protocol.messages.limits import Limits

T = TypeVar("T")

#: If a dialect cannot send times to the program, each move gets 1 / _CLOCK_PART of the time left.
_CLOCK_PART = 8
#: Maximum number of faults that the record of a game lists: ways in which a program's output was
#: wrong.
_WARNINGS = 16


class ExternalPlayer(Player):
    """A program, started when it is first needed and again after each failure.

    Each kind of failure raises its own PlayerError and kills the program. The referee must cancel a
    program that never moves.
    """

    def __init__(
        self,
        command: Sequence[str],
        dialect: str,
        *,
        limits: Limits | None = None,
        options: Mapping[str, str] = MappingProxyType({}),
        name: str | None = None,
        startup: float = STARTUP,
    ) -> None:
        """Run `command` (program and arguments), which speaks `dialect`, such as `ugi`.

        `options` of the program are set at each start. `startup` is how long the program may take
        to get ready for a game, in seconds. Raises ValueError if the command is empty or the
        dialect unknown.
        """
        if not command:
            raise ValueError("no program given")
        if dialect not in DRIVING:
            raise ValueError(f"unknown dialect {dialect!r}: it is one of {', '.join(DRIVING)}")
        self.name = name or " ".join(command)
        self.limits = limits
        self.command = tuple(command)
        self.dialect = dialect
        self.options = dict(options)
        self._startup = startup
        self._program: tuple[ClientConnection, ProcessTransport] | None = None
        self._process: ProcessTransport | None = None
        self._transcript: Transcript | None = None
        self._games: tuple[str, ...] = ()
        self._odd_lines: dict[str, tuple[OddLine, int]] = {}

    @property
    def last_lines(self) -> tuple[str, ...]:
        """The last lines to and from the program, and of its standard error, even after its end."""
        if self._transcript is None or self._process is None:
            return ()
        return self._transcript.last_lines + self._process.last_words

    def take_warnings(self) -> tuple[str, ...]:
        """Return the first line with each fault, and how many more lines had the same fault."""
        found, self._odd_lines = self._odd_lines.values(), {}
        return tuple(
            f"{line} (and {count - 1} more)" if count > 1 else str(line) for line, count in found
        )

    async def start(self, game: Game) -> None:
        """Start the program if it is not running, and begin a game; raises PlayerError."""
        try:
            async with asyncio.timeout(self._startup):
                if self._program is None:
                    await self._launch()
                if self._games and game.name.lower() not in self._games:
                    raise PlayerUnfitError(game.name, self._games)
                await self._ask(play.NewGame(game=game.name, size=game.size))
        except TimeoutError:
            await self._kill()
            raise PlayerStalledError(f"not ready after {self._startup:g} seconds") from None

    async def choose(self, line: GameLine, limits: Limits) -> int:
        # Some engines cannot read position strings, so send none for the usual first position.
        fen = None if line.start == line.start.game.start() else line.start.fen()
        await self._ask(play.SetPosition(fen=fen, moves=line.names))
        keeps_time = DRIVING[self.dialect].keeps_time
        wait = None if keeps_time else patience(limits, line.position.turn)

        def report(event: Event) -> None:
            if isinstance(event, play.Info):
                if event.multipv == 1:
                    self.searched = event.searched
                if self.on_info is not None:
                    self.on_info(event)

        best = await search(lambda command: self._ask(command, report), limits, wait)
        if isinstance(best, play.BestMove) and best.move == play.RESIGN:
            raise PlayerResignedError
        try:
            return move_of(line.position, best)
        except IllegalMoveError as error:
            await self._kill()
            raise PlayerIllegalMoveError(str(error)) from None

    async def close(self) -> None:
        """Ask the program to quit, and kill it after one second."""
        if self._program is not None:
            link, _ = self._program
            with suppress(TimeoutError, ClientError):
                async with asyncio.timeout(1):
                    await link.ask(play.Quit())
        await self._kill()

    async def _kill(self) -> None:
        program, self._program = self._program, None
        if program is not None:
            link, _ = program
            await link.close()

    async def _launch(self) -> None:
        self._transcript = None
        try:
            self._process = transport = await ProcessTransport.start(self.command)
        except OSError as error:
            raise PlayerCrashedError(f"cannot be started: {error}") from error
        self._transcript = Transcript(transport)
        dialect = DRIVING[self.dialect]()
        link = ClientConnection(self._transcript, dialect, on_odd_line=self._note)
        self._program = link, transport
        hello = await self._ask(play.Hello())
        self._games = hello.games if isinstance(hello, play.HelloAnswer) else ()
        try:
            check_options(dialect.options, self.options)
        except ValueError as error:
            await self._kill()
            raise PlayerCrashedError(f"cannot be set up: {error}") from None
        for option, value in self.options.items():
            await self._ask(play.SetOption(name=option, value=value))

    def _note(self, line: OddLine) -> None:
        first, count = self._odd_lines.get(line.fault, (line, 0))
        if count or len(self._odd_lines) < _WARNINGS:
            self._odd_lines[line.fault] = first, count + 1

    async def _ask(self, command: Command, listener: Listener = lambda event: None) -> Event:
        """Send the program a command; raises PlayerError and kills the program if that fails."""
        if self._program is None:
            raise RuntimeError("start() the player before it chooses")
        link, transport = self._program
        try:
            return await link.ask(command, listener)
        except ConnectionLostError:
            how = await transport.exit_reason()
            await self._kill()
            raise PlayerCrashedError(how) from None
        except (BadServerError, CommandError, UnspeakableError) as error:
            await self._kill()
            if isinstance(command, play.Go) and getattr(error, "code", "") == "illegal-move":
                raise PlayerIllegalMoveError(str(error)) from error
            raise PlayerGarbledError(str(error)) from error
        except asyncio.CancelledError:
            await self._kill()
            raise


async def search(
    ask: Callable[[Command], Coroutine[None, None, T]], limits: Limits, wait: float | None
) -> T:
    """Return the answer to `go`; send `stop` after `wait` seconds."""
    searching = asyncio.create_task(ask(play.Go(limits=limits)))
    try:
        done, _ = await asyncio.wait([searching], timeout=wait)
        if not done:
            await ask(play.Stop())
        return await searching
    finally:
        searching.cancel()
        await asyncio.gather(searching, return_exceptions=True)


def patience(limits: Limits, turn: int) -> float | None:
    """Return the seconds before `stop` is sent: most of `movetime`, and only a part of the clock.

    None means that neither is limited.
    """
    times = [] if limits.movetime is None else [limits.movetime - min(20, limits.movetime // 5)]
    if limits.clock is not None:
        times.append(limits.clock.left(turn + 1) // _CLOCK_PART)
    return min(times) / 1000 if times else None


def move_of(position: Position, best: Event) -> int:
    """Return the move in an answer to `go`; raises IllegalMoveError if there is none."""
    game = position.game
    if not isinstance(best, play.BestMove) or best.move is None:
        raise game.illegal(position, "0000")
    move = game.parse_move(position, best.move)
    if best.square not in (None, game.square_name(move)):
        raise game.illegal(position, best.square)
    return move
