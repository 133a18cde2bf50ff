"""Run a player as an engine: a program that speaks UGI on standard input and output."""

import os
import queue
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import redirect_stdout, suppress
from functools import partial
from typing import Any

from plywire.clients.play import translate
from plywire.clients.play.errors import (
    PlayerCrashedError,
    PlayerError,
    PlayerIllegalMoveError,
    PlayerResignedError,
)
from plywire.clients.play.players.base import GameLine, LocalPlayer
from plywire.clients.play.players.loop_thread import LoopThread
from plywire.clients.play.players.python import ask, games_of, load_class, traced
from plywire.engine import registry
from plywire.engine.game import IllegalMoveError, RulesError
from plywire.engine.search.stop import Stop
from plywire.protocol.connection import EngineConnection, Fault, Ignored, State
from plywire.protocol.dialects.uxi.ugi import UgiAnswering
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event

_CHUNK = 1 << 16
#: Seconds after `quit` within which a player may still return its move.
_GRACE = 0.5


def serve_ugi(player: Any) -> None:
    """Run a UGI engine that plays the player's moves, until `quit`.

        serve_ugi(Hasty())

    The player is a `Player`, or any object (or its class) with a method `choose(line, limits)` that
    returns a move or its name. A class that plays only some games lists them, as in `games =
    ("connect4",)`. Prints of the player go to standard error. An exception of the player ends the
    program with a traceback and a line that says where.
    """
    try:
        with redirect_stdout(sys.stderr), suppress(KeyboardInterrupt, BrokenPipeError):
            _UgiEngine(player).run()
    except RulesError as error:
        sys.exit(str(error))
    except PlayerCrashedError as error:
        sys.exit("\n".join([*traced(error), str(error)]))


def serve_class(path: str) -> None:
    """Run a UGI engine with the class that a path such as `mybots:Hasty` names."""
    try:
        player = load_class(path)
    except ValueError as error:
        sys.exit(str(error))
    serve_ugi(player)


class _UgiEngine:
    """One connection; its three threads answer, read and think, so a busy player blocks nothing."""

    def __init__(self, player: Any) -> None:
        self._games = games_of(player if isinstance(player, type) else type(player))
        self._thread = LoopThread()
        self._player = self._wait_for(player) if isinstance(player, type) else player
        self._connection = EngineConnection(UgiAnswering())
        self._line = GameLine.at(registry.load(self._games[0]).start())
        self._is_started = False
        self._go: tuple[play.Go, Future[Any]] | None = None
        self._stop = Stop()
        #: Bytes that `_read` has read, and finished searches of the player, in the order of
        #: arrival.
        self._heard = queue.SimpleQueue[bytes | Future[Any]]()

    def run(self) -> None:
        threading.Thread(target=self._read, daemon=True).start()
        while self._connection.state is not State.CLOSED:
            match self._heard.get():
                case Future():
                    self._answer()
                case b"":
                    self._connection.receive_eof()
                case data:
                    self._connection.receive_data(data)
            while (item := self._connection.next_command()) is not None:
                if isinstance(item, Fault):
                    self._connection.send(item.error, item)
                elif not isinstance(item, Ignored):
                    self._handle(item)
            unsent = self._connection.data_to_send()
            while unsent:
                unsent = unsent[os.write(1, unsent) :]
        if self._go is None:
            self._call("close")

    def _read(self) -> None:
        # Reading from `sys.stdin` would hold its lock, and Python could then not exit.
        while data := os.read(0, _CHUNK):
            self._heard.put(data)
        self._heard.put(b"")

    def _handle(self, command: Command) -> None:
        try:
            for event in self._carry_out(command):
                self._connection.send(event, command)
            return
        except IllegalMoveError as error:
            code, message = ErrorCode.ILLEGAL_MOVE, str(error)
        except PlayerCrashedError:
            raise
        except (RulesError, PlayerError) as error:
            code, message = ErrorCode.BAD_VALUE, str(error)
        self._connection.send(Error(code=code, message=message), command)

    def _carry_out(self, command: Command) -> list[Event]:
        position = self._line.position
        match command:
            case play.Hello():
                name = type(self._player).__name__.encode("ascii", "replace").decode()
                return [play.HelloAnswer(server=name, games=self._games)]
            case play.Ping():
                return [play.Pong()]
            case play.NewGame(game=None, size=None):
                self._start()
                self._line = GameLine.at(position.game.start())
                return [play.Ok()]
            case play.NewGame(game=name, size=size):
                rules = registry.load(name or position.game.name, size)
                if rules.name not in self._games:
                    message = f"{rules.name} is not played here, but {' and '.join(self._games)}"
                    return [Error(code=ErrorCode.BAD_VALUE, message=message)]
                self._line, self._is_started = GameLine.at(rules.start()), False
                return [play.Ok()]
            case play.SetPosition(fen=fen, moves=moves):
                rules = position.game
                start = rules.start() if fen is None else rules.parse(fen)
                self._line = GameLine.at(start).play_names(moves)
                return [play.Ok()]
            case play.Result():
                return [translate.result(position), play.Ok()]
            case play.Legal():
                return [translate.legal(position), play.Ok()]
            case play.Show():
                return [translate.show(position, self._line.names), play.Ok()]
            case play.Go() if position.is_over:
                return [play.BestMove()]
            case play.Go():
                self._begin(command)
                return []
            case play.Stop():
                self._stop.set()
                return [play.Ok()]
            case play.Quit():
                self._finish()
                return [play.Bye()]
        message = f"{command.type} is not taken here: the engine has no options"
        return [Error(code=ErrorCode.UNKNOWN_COMMAND, message=message)]

    def _start(self) -> None:
        self._is_started = True
        self._call("start", self._line.position.game)

    def _call(self, method: str, *arguments: Any) -> None:
        if hasattr(self._player, method):
            self._wait_for(getattr(self._player, method), *arguments)

    def _wait_for(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._thread.submit(ask, function, *arguments).result()

    def _begin(self, command: play.Go) -> None:
        if not self._is_started:
            self._start()
        self._stop = Stop()
        choose = self._player.choose
        if isinstance(self._player, LocalPlayer):
            choose = partial(self._player.think, stop=self._stop)
        found = self._thread.submit(ask, choose, self._line, command.limits)
        self._go = command, found
        found.add_done_callback(self._heard.put)

    def _finish(self) -> None:
        """Stop the search, and send the found move if it comes within `_GRACE`."""
        self._stop.set()
        if self._go is not None and wait([self._go[1]], _GRACE).done:
            self._answer()

    def _answer(self) -> None:
        if self._go is not None:
            (command, found), self._go = self._go, None
            try:
                event: Event = play.BestMove(move=self._line.chosen(found.result()).names[-1])
            except PlayerResignedError:
                event = play.BestMove(move=play.RESIGN)
            except PlayerIllegalMoveError as error:
                event = Error(code=ErrorCode.ILLEGAL_MOVE, message=str(error))
            self._connection.send(event, command)
