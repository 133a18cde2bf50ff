"""Engines that choose moves and analyse positions, with `await` or without.

    with SimpleEngine() as engine:
        result = engine.play(board, Limits(movetime=100))
        board.push(result.move)
        info = engine.analyse(board, Limits(depth=12))
        print(info.score, info.pv)

    async with Engine("uci:./my-engine?Hash=64") as engine:
        async for info in engine.analyse(board, Limits(movetime=1000)):
            print(info.depth, info.score)

An engine is any player that a spec of `plywire match` names: our engine in this process (`engine`),
a program or a server.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterator
from dataclasses import dataclass
from typing import Any, Self

from plywire.engine.game import Game
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Info

from .connecting.players.specs import parse_player
from .play.board import Board
from .play.errors import PlayerGarbledError
from .play.players.base import Move
from .play.players.loop_thread import LoopThread

_UNLIMITED = Limits()


@dataclass(frozen=True, slots=True)
class PlayResult:
    """The move that an engine plays."""

    move: Move
    info: Info | None
    """Last report of the best line, if any."""


class Engine:
    """A player as an engine; searches run one after the other.

    Methods raise a `PlayerError` if the engine fails; the next search starts it again.
    """

    def __init__(self, spec: str = "engine") -> None:
        """Make an engine from a spec, such as `ugi:./my-engine --fast`; raises SpecError."""
        self._player = parse_player(spec)()
        self._ready: Game | None = None
        self._turn = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Release programs, connections and tables; a later search starts the engine again."""
        self._ready = None
        await self._player.close()

    async def play(self, board: Board, limits: Limits = _UNLIMITED) -> PlayResult:
        """Return a move. The engine's own limits, if it has any, replace `limits`.

        Raises ValueError if the game is over.
        """
        said: list[Info] = []
        move = await self._search(board, limits, said.append)
        best = [info for info in said if info.multipv == 1]
        return PlayResult(move, best[-1] if best else None)

    def analyse(self, board: Board, limits: Limits = _UNLIMITED) -> Search:
        """Start a search within a running event loop: await the last report, or iterate over all.

        Without limits our own engine searches until the result is proven.
        """
        return Search(lambda on_info: self._search(board, limits, on_info))

    async def _search(self, board: Board, limits: Limits, on_info: Callable[[Info], None]) -> Move:
        """Search for a move; `on_info` is called on the event loop."""
        line, player, loop = board.line, self._player, asyncio.get_running_loop()
        if (result := line.position.result()) is not None:
            raise ValueError(f"there is nothing to search: the game is over, {result.reason}")
        async with self._turn:
            ready, self._ready = self._ready, None
            if ready != board.game:
                await player.start(board.game)
            player.on_info = lambda info: loop.call_soon_threadsafe(on_info, info)
            chosen = await player.choose(line, player.limits or limits)
            after = line.chosen(chosen)
            self._ready = board.game
        return Move(after.moves[-1], after.names[-1])


class Search:
    """A running search: await its last report, or iterate over all; leaving the loop ends it."""

    def __init__(
        self, search: Callable[[Callable[[Info], None]], Coroutine[Any, Any, Move]]
    ) -> None:
        self._reports = asyncio.Queue[Info | None]()
        self._last: Info | None = None
        self._task = asyncio.create_task(search(self._hear))
        self._task.add_done_callback(lambda _: self._reports.put_nowait(None))

    def __await__(self) -> Generator[Any, None, Info]:
        """Return the last report of the best line; raises PlayerGarbledError if there was none."""
        return self._best().__await__()

    async def __aiter__(self) -> AsyncGenerator[Info, None]:
        try:
            while (info := await self._reports.get()) is not None:
                yield info
            await self._task
        finally:
            await self.end()

    async def end(self) -> None:
        """End the search now."""
        self._task.cancel()
        await asyncio.wait([self._task])

    async def _best(self) -> Info:
        await self._task
        if self._last is None:
            raise PlayerGarbledError("it said nothing of its search")
        return self._last

    def _hear(self, info: Info) -> None:
        if info.multipv == 1:
            self._last = info
        self._reports.put_nowait(info)


class SimpleEngine:
    """An `Engine` for programs without an event loop: each call waits for its answer."""

    def __init__(self, spec: str = "engine") -> None:
        """Make an engine from a spec of `plywire match`; raises SpecError."""
        self._engine = Engine(spec)
        self._thread = LoopThread()
        self._is_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the engine for good."""
        if not self._is_closed:
            self._run(self._engine.close)
            self._is_closed = True
            self._thread.end()

    def play(self, board: Board, limits: Limits = _UNLIMITED) -> PlayResult:
        """Return the engine's move; see `Engine.play`."""
        result: PlayResult = self._run(self._engine.play, board, limits)
        return result

    def analyse(self, board: Board, limits: Limits = _UNLIMITED) -> Info:
        """Return the last report of a search; see `Engine.analyse`."""
        info: Info = self._run(self._engine.analyse, board, limits)
        return info

    def analysis(self, board: Board, limits: Limits = _UNLIMITED) -> Iterator[Info]:
        """Yield each report of a search as it comes; leaving the loop ends the search."""

        async def begin() -> AsyncGenerator[Info, None]:
            return aiter(self._engine.analyse(board, limits))

        reports = self._run(begin)
        try:
            while (info := self._run(anext, reports, None)) is not None:
                yield info
        finally:
            self._run(reports.aclose)

    def _run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if self._is_closed:
            raise ValueError("the engine is closed")
        return self._thread.submit(function, *arguments).result()
