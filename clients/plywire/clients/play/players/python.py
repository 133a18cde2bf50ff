"""A user's class as a player, in its own thread.

    class Hasty:
        def choose(self, line, limits):
            return line.position.moves()[0]

Only `choose` is required; it may be a coroutine, as in `Player`, or a plain function. The class may
have a player's other methods, and list the games that it plays, as in `games = ("connect4",)`. One
object plays all games until it does not answer in time.
"""

import asyncio
import importlib
import inspect
import os
import sys
import sysconfig
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import Any

import plywire
from plywire.clients.play.errors import (
    GameEndedError,
    PlayerCrashedError,
    PlayerError,
    PlayerStalledError,
    PlayerUnfitError,
)
from plywire.engine.game import Game
from plywire.engine.registry import load, names
from plywire.protocol.messages.limits import Limits

from .base import STARTUP, GameLine, Player
from .loop_thread import LoopThread

LAST_LINES = 16
#: How the methods of a player are called. The class itself is called without arguments.
_CALLS = {"choose": "choose(line, limits)", "start": "start(game)"}
#: Beginnings of the paths of files that are not the user's code.
_LIBRARIES = (
    "<frozen",
    *(sysconfig.get_path(kind) + os.sep for kind in ("stdlib", "platstdlib", "purelib", "platlib")),
    *(folder + os.sep for folder in plywire.__path__),
)


class PythonPlayer(Player):
    """Asks an object of a user's class, in its own thread.

    A blocked object blocks only its own thread. A thread cannot be ended from outside: one that
    does not answer in time is abandoned, and the next game gets a new object. Exceptions become
    PlayerCrashedError with their place.
    """

    def __init__(
        self,
        kind: Callable[[], Any],
        *,
        limits: Limits | None = None,
        name: str = "python",
        startup: float = STARTUP,
    ) -> None:
        """Play with the object that `kind` makes; raises ValueError if it lists an unknown game.

        `startup` is how long the object may take to get ready for a game, in seconds.
        """
        self.name = name
        self.games = games_of(kind) if getattr(kind, "games", ()) else ()
        self.limits = limits or getattr(kind, "limits", None)
        self.resumes = getattr(kind, "resumes", True)
        self._kind = kind
        self._startup = startup
        self._thread: LoopThread | None = None
        self._player: Any = None
        self._last_lines: tuple[str, ...] = ()

    @property
    def last_lines(self) -> tuple[str, ...]:
        return self._last_lines

    async def start(self, game: Game) -> None:
        if self.games and game.name not in self.games:
            raise PlayerUnfitError(game.name, self.games)
        try:
            async with asyncio.timeout(self._startup):
                if self._thread is None:
                    self._thread = LoopThread()
                    self._player = await self._call(self._kind)
                if hasattr(self._player, "start"):
                    await self._call(self._player.start, game)
        except TimeoutError:
            raise PlayerStalledError(f"not ready after {self._startup:g} seconds") from None

    async def choose(self, line: GameLine, limits: Limits) -> int | str:
        move: int | str = await self._call(self._player.choose, line, limits)
        self.searched = getattr(self._player, "searched", None)
        return move

    async def close(self) -> None:
        """Close the object within a second, and abandon it."""
        if self._thread is not None and hasattr(self._player, "close"):
            with suppress(PlayerError, TimeoutError):
                async with asyncio.timeout(1):
                    await self._call(self._player.close)
        self._leave()

    async def _call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if self._thread is None:
            raise RuntimeError("start() the player before it chooses")
        self._last_lines = ()
        try:
            found, self.worked = await asyncio.wrap_future(
                self._thread.submit(_timed, function, *arguments)
            )
            return found
        except asyncio.CancelledError:
            self._leave()
            raise
        except PlayerCrashedError as error:
            self._last_lines = tuple(f"! {line}" for line in traced(error)[-LAST_LINES:])
            raise

    def _leave(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.end()


async def _timed(function: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    began = time.thread_time()
    return await ask(function, *arguments), time.thread_time() - began


async def ask(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a user's function, and turn its exceptions into PlayerCrashedError."""
    try:
        found = function(*arguments)
        return await found if inspect.isawaitable(found) else found
    except (PlayerError, GameEndedError):
        raise
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        told = describe(error)
        if isinstance(error, TypeError) and not _own_traceback(error):
            name = getattr(function, "__name__", "")
            told += f"; it is called as {_CALLS.get(name, f'{name}()')}"
        raise PlayerCrashedError(told) from error


def load_class(path: str) -> Callable[[], Any]:
    """Import a class by a path such as `package.module:Class`; raises ValueError."""
    module_name, _, name = path.partition(":")
    if not module_name or not name:
        raise ValueError("write python:MODULE:CLASS, such as python:mybots:Hasty")
    file = Path(module_name)
    if len(file.parts) > 1 or file.suffix == ".py":
        stem = file.name.removesuffix(".py")
        where = f"in the folder of {stem}.py" if len(file.parts) > 1 else "without .py"
        raise ValueError(f"write python:{stem}:{name}, {where}")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        missing = f"{error.name}." if isinstance(error, ImportError) else ""
        if isinstance(error, ModuleNotFoundError) and f"{module_name}.".startswith(missing):
            raise ValueError(f"{error}: neither in this folder nor installed") from error
        raise ValueError(f"{module_name} cannot be imported: {describe(error)}") from error
    try:
        found = attrgetter(name)(module)
    except AttributeError:
        players = [other for other, it in vars(module).items() if _can_choose(it)]
        raise ValueError(
            f"{module_name}, which is {getattr(module, '__file__', 'of Python itself')}, has no"
            f" {name}; its players are: {', '.join(players) or 'none'}"
        ) from None
    if not _can_choose(found):
        raise ValueError(f"{name} is no class with a method choose(line, limits)")
    games_of(found)
    return found  # type: ignore[no-any-return]


def games_of(kind: object) -> tuple[str, ...]:
    """Return the names in a class's `games`, by default all games; raises ValueError."""
    return tuple(load(name).name for name in getattr(kind, "games", ())) or names()


def _can_choose(found: object) -> bool:
    return isinstance(found, type) and hasattr(found, "choose") and not inspect.isabstract(found)


def describe(error: BaseException) -> str:
    """Describe an error in one line, with the innermost place in the user's code."""
    told = ": ".join(filter(None, (type(error).__name__, str(error))))
    frames = traceback.extract_tb(_own_traceback(error))
    own = [frame for frame in frames if not _is_library(frame.filename)]
    if not own or isinstance(error, SyntaxError):  # a SyntaxError says itself where it is
        return told
    return f"{told} ({Path(own[-1].filename).name}, line {own[-1].lineno})"


def traced(error: PlayerCrashedError) -> list[str]:
    """Return the traceback of an error from `ask`, from the first line of the user's code."""
    raised = error.__cause__ or error
    lines = traceback.format_exception(type(raised), raised, _own_traceback(raised))
    return "".join(lines).splitlines()


def _own_traceback(error: BaseException) -> TracebackType | None:
    """Cut the traceback to begin with the user's code; None if that never ran."""
    place = error.__traceback__
    while place is not None and _is_library(place.tb_frame.f_code.co_filename):
        place = place.tb_next
    return place


def _is_library(file: str) -> bool:
    return file.startswith(_LIBRARIES)
