"""A class of the user's own as a player, in a thread of its own.

    class Hasty:
        def choose(self, line, limits):
            return line.position.moves()[0]

All it takes is that: `choose` as in `Player`, or as a plain function. It may have the other methods
of a player as well. One object plays game after game, until it fails to answer in its time.
"""

import asyncio
import importlib
import inspect
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from typing import Any

from plywire.clients.errors import GameEndedError, PlayerCrashedError, PlayerError
from plywire.engine.game import Game
from plywire.protocol.messages.limits import Limits

from .base import GameLine, Player
from .loop_thread import LoopThread


class PythonPlayer(Player):
    """Asks an object of a class that knows nothing of us, in a thread of its own.

    However long that blocks, it holds up nothing but itself. A thread cannot be ended from outside:
    one that does not answer in its time is left to itself, and the next game begins with another
    object. What is raised is a PlayerCrashedError that says where.
    """

    def __init__(
        self, kind: Callable[[], Any], *, limits: Limits | None = None, name: str = "python"
    ) -> None:
        """Play by what `kind` makes, by these limits or by its own."""
        self.name = name
        self.limits = limits or getattr(kind, "limits", None)
        self.resumes = getattr(kind, "resumes", True)
        self._kind = kind
        self._thread: LoopThread | None = None
        self._player: Any = None

    async def start(self, game: Game) -> None:
        """Make the object, unless it is there, and tell it of a new game if it wants to know."""
        if self._thread is None:
            self._thread = LoopThread()
            self._player = await self._call(self._kind)
        if hasattr(self._player, "start"):
            await self._call(self._player.start, game)

    async def choose(self, line: GameLine, limits: Limits) -> int | str:
        """The move, or its name, that the object returns."""
        move: int | str = await self._call(self._player.choose, line, limits)
        self.searched = getattr(self._player, "searched", None)
        return move

    async def close(self) -> None:
        """Let the object go; it has a second to close what it holds."""
        if self._thread is not None and hasattr(self._player, "close"):
            with suppress(PlayerError, TimeoutError):
                async with asyncio.timeout(1):
                    await self._call(self._player.close)
        self._leave()

    async def _call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if self._thread is None:
            raise RuntimeError("start() the player before it chooses")
        try:
            return await asyncio.wrap_future(self._thread.submit(function, *arguments))
        except asyncio.CancelledError:
            self._leave()
            raise
        except (PlayerError, GameEndedError):
            raise
        except Exception as error:
            raise PlayerCrashedError(describe(error)) from error

    def _leave(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.end()


def load_class(path: str) -> Callable[[], Any]:
    """The class that a path like `package.module:Class` names, also in the current folder.

    Raises ValueError, with one line, if there is none or if it cannot choose moves.
    """
    module_name, _, name = path.partition(":")
    if not module_name or not name:
        raise ValueError("write python:MODULE:CLASS, such as python:mybots:Hasty")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise ValueError(f"{error}: neither in this folder nor installed") from error
    except (Exception, SystemExit) as error:
        raise ValueError(f"{module_name} cannot be imported: {describe(error)}") from error
    try:
        found = attrgetter(name)(module)
    except AttributeError:
        players = [other for other, it in vars(module).items() if _can_choose(it)]
        raise ValueError(
            f"{module_name} has no {name}; its players are: {', '.join(players) or 'none'}"
        ) from None
    if not _can_choose(found):
        raise ValueError(f"{name} is no class with a method choose(line, limits)")
    return found  # type: ignore[no-any-return]


def _can_choose(found: object) -> bool:
    return isinstance(found, type) and hasattr(found, "choose") and not inspect.isabstract(found)


def describe(error: BaseException) -> str:
    """An error in one line, with the place where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{where}"
