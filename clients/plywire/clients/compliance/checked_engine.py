"""An engine that is checked, and a connection to it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from plywire.clients.connecting.connection import ClientConnection
from plywire.clients.connecting.errors import ClientError, CommandError, ConnectionLostError
from plywire.clients.connecting.players.external import ExternalPlayer, move_of, patience, search
from plywire.clients.connecting.players.server import ServerPlayer
from plywire.clients.connecting.players.specs import SpecError, parse_player
from plywire.clients.connecting.transports.base import ClientTransport
from plywire.clients.connecting.transports.open import open_transport
from plywire.clients.connecting.transports.process import ProcessTransport
from plywire.clients.connecting.transports.transcript import Transcript
from plywire.clients.play.players.base import GameLine
from plywire.engine.game import Game, IllegalMoveError
from plywire.protocol.controller_connection import OddLine
from plywire.protocol.dialects import DRIVING
from plywire.protocol.dialects.engine_options import EngineOption, check_options
from plywire.protocol.errors import UnspeakableError
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Event
from plywire.protocol.messages.limits import Limits


class FailedError(Exception):
    """The engine failed a check; the text says what the engine did."""


class SilentError(FailedError):
    """The engine did not answer."""


class DeclinedError(FailedError):
    """The engine refused."""


class InapplicableError(Exception):
    """The check does not apply to the engine's dialect or to the game."""


@dataclass(frozen=True, slots=True)
class Subject:
    """How an engine is reached: a program and its dialect, or a server's URL."""

    dialect: str
    command: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    """Options of the program, set after the greeting."""
    url: str = ""
    patience: float = 30.0
    """Longest silence beyond the engine's time to think, in seconds; a longer one is a failure."""

    @classmethod
    def parse(cls, spec: str) -> Subject:
        """Read a player's spec, or raise SpecError; a Python class gets a process of its own."""
        if spec.startswith("python:"):
            spec = spec.replace("python:", "python?process=1:", 1)
        match parse_player(spec)():
            case ExternalPlayer() as player:
                return cls(player.dialect, player.command, player.options)
            case ServerPlayer() as player:
                return cls("json", url=player.url)
        raise SpecError(
            f"{spec!r} speaks no protocol; write ugi:COMMAND, uci:COMMAND, gtp:COMMAND,"
            " nboard:COMMAND, python:MODULE:CLASS or a server's URL"
        )


class CheckedEngine:
    """A connection to an engine; it closes if the engine does not answer in time.

    Methods that ask the engine raise FailedError if the engine answers wrongly, and
    InapplicableError if its dialect lacks the command.
    """

    def __init__(self, subject: Subject, transport: ClientTransport) -> None:
        self._subject = subject
        self._transport = transport
        self._awaited: str | None = None
        self._odd_line: OddLine | None = None
        self._came = asyncio.Event()
        self._transcript = Transcript(transport, self._hear)
        self._dialect = DRIVING[subject.dialect]()
        self._link = ClientConnection(
            self._transcript,
            self._dialect,
            on_broken=self._came.set,
            on_odd_line=self._note,
        )
        self.hello = play.HelloAnswer()

    @classmethod
    async def open(cls, subject: Subject) -> CheckedEngine:
        """Start the program, or connect to the URL; raises FailedError if that fails."""
        try:
            if subject.command:
                transport: ClientTransport = await ProcessTransport.start(subject.command)
            else:
                transport = await open_transport(subject.url)
        except OSError as error:
            raise FailedError(f"cannot be reached: {error}") from None
        return cls(subject, transport)

    async def greet(self) -> None:
        """Receive the engine's introduction, and set its options."""
        match await self.ask(play.Hello()):
            case [*_, play.HelloAnswer() as hello]:
                self.hello = hello
        try:
            check_options(self.options, self._subject.options)
        except ValueError as error:
            await self.close()
            raise FailedError(f"cannot be set up: {error}") from None
        for name, value in self._subject.options.items():
            await self.ask(play.SetOption(name=name, value=value))

    @property
    def is_open(self) -> bool:
        return self._link.is_open

    @property
    def options(self) -> tuple[EngineOption, ...]:
        return self._dialect.options or tuple(
            EngineOption(option.name, "spin", str(option.default), option.min, option.max)
            for option in self.hello.options
        )

    @property
    def last_lines(self) -> tuple[str, ...]:
        """Last lines sent (`> …`) and received (`< …`), oldest first."""
        return self._transcript.last_lines

    async def ask(self, command: Command, within: float | None = None) -> list[Event]:
        """Return the answer to a command; `within` is the longest wait in seconds."""
        heard: list[Event] = []
        # Forget an odd line that came before this command: only odd lines in an answer are faults.
        self._odd_line = None
        within = within or self._subject.patience
        try:
            async with asyncio.timeout(within):
                heard.append(await self._link.ask(command, heard.append))
        except UnspeakableError:
            name = self._dialect.name
            raise InapplicableError(f"{name} has no words for `{command.type}`") from None
        except CommandError as error:
            raise DeclinedError(f"refused `{command.type}`: {error}") from None
        except TimeoutError:
            await self.close()
            raise SilentError(f"no answer to `{command.type}` in {within:g} s") from None
        except ClientError as error:
            lost = isinstance(error, ConnectionLostError)
            said = await self._end() if lost else str(error)
            await self.close()
            raise FailedError(f"{said}, when asked `{command.type}`") from None
        if self._odd_line is not None:
            raise FailedError(f"{self._odd_line}, when asked `{command.type}`")
        return heard

    async def new_game(self, game: Game) -> None:
        await self.ask(play.NewGame(game=game.name))

    async def move(self, line: GameLine, limits: Limits) -> int:
        await self.ask(play.SetPosition(moves=line.names))
        best = await self.think(line, limits)
        if isinstance(best, play.BestMove) and best.move == play.RESIGN:
            raise FailedError(f"resigned after {len(line.names)} moves, and was asked for a move")
        try:
            return move_of(line.position, best)
        except IllegalMoveError as error:
            where = f"after {' '.join(line.names)}: " if line.names else ""
            raise FailedError(f"{where}{error}") from None

    async def think(self, line: GameLine, limits: Limits) -> Event:
        """Return the answer to `go`; send `stop` in time if the dialect cannot set limits."""
        turn = line.position.turn
        keeps_time = self._dialect.keeps_time
        within = self._subject.patience + (limits.left(turn + 1) or 0) / 1000
        found = await search(
            lambda command: self.ask(command, within),
            limits,
            None if keeps_time else patience(limits, turn),
        )
        return found[-1]

    async def stopped(self, limits: Limits, after: float) -> Event:
        return (await search(self.ask, limits, after))[-1]

    async def exchange(self, lines: Sequence[str], until: str) -> None:
        """Send raw lines, and wait for a line that contains the text `until`."""
        self._awaited = until
        self._came.clear()
        try:
            async with asyncio.timeout(self._subject.patience):
                with suppress(OSError):
                    await self._transcript.write(lines)
                await self._came.wait()
        except TimeoutError:
            await self.close()
            raise SilentError(f"no answer to `{lines[-1]}` after it") from None
        finally:
            self._awaited = None
        if not self.is_open:
            said = await self._end()
            await self.close()
            raise FailedError(said)

    async def quit(self) -> str:
        """Send `quit`, and return how the engine ended."""
        await self.ask(play.Quit())
        how = await self._end()
        await self.close()
        return how

    async def close(self) -> None:
        """Close the connection, and kill the engine if it is a program."""
        await self._link.close()

    async def _end(self) -> str:
        if isinstance(self._transport, ProcessTransport):
            return await self._transport.exit_reason()
        return "closed the connection"

    def _note(self, line: OddLine) -> None:
        self._odd_line = self._odd_line or line

    def _hear(self, line: str) -> None:
        if self._awaited is not None and self._awaited in line:
            self._came.set()
