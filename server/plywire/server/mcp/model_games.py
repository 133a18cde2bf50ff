"""The games that models play through tools, and the engine's advice and reviews."""

import asyncio
import os
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from plywire.clients.play.board import Board
from plywire.clients.play.judging.game_judge import GameJudge
from plywire.clients.play.judging.oracle import Oracle
from plywire.clients.play.notation.reader import read_one
from plywire.clients.play.players.local import EnginePlayer
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.review import ReviewAnswer

from .state import Advice, GameReview, GameState

#: Seconds without a call after which a game may be replaced by a new one.
_IDLE = 600.0
#: Maximum number of searches for each core. Running and waiting searches both count.
_QUEUE = 4
_REVIEW_NODES = 2_000_000


class ToolRefusedError(ValueError):
    """A tool refuses a call; the message says why."""


class ModelGames:
    """Games by name, up to a fixed number, and one search at a time for each core."""

    def __init__(
        self,
        *,
        most: int = 100,
        movetime: int = 10_000,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Keep at most `most` games, and limit each search and review to `movetime` ms."""
        self.movetime = movetime
        self._most = most
        self._now = now
        self._boards: dict[str, tuple[Board, float]] = {}
        """Each game with the time of its last call; the least recently used game is first."""
        cores = os.cpu_count() or 1
        self._searching = asyncio.Semaphore(cores)
        self._searches, self._most_searches = 0, _QUEUE * cores

    def new(self, game: str, size: str | None, fen: str | None) -> GameState:
        """Begin a game from its start, or from a position or a game in any notation.

        Raises ToolRefusedError if there are too many games, RulesError if the game is unknown,
        NotationError if `fen` cannot be read.
        """
        board = Board(game, size=size)
        if fen is not None:
            line = read_one(fen, [board.game], fixed=size is not None).line
            board = Board(game, line.start.fen(), size=line.start.game.size)
            for name in line.names:
                board.push(name)
        if len(self._boards) >= self._most:
            oldest, (_, used) = next(iter(self._boards.items()))
            if self._now() - used < _IDLE:
                raise ToolRefusedError(f"{self._most} games are being played here: try again later")
            del self._boards[oldest]
        name = secrets.token_hex(4)
        self._boards[name] = board, self._now()
        return GameState.of(name, board.line)

    def board(self, name: str) -> Board:
        """Return the game of that name; raises ToolRefusedError if there is none."""
        if name not in self._boards:
            raise ToolRefusedError(f"no game {name!r}: new_game begins one and names it")
        board, _ = self._boards.pop(name)
        self._boards[name] = board, self._now()
        return board

    def play(self, name: str, move: str) -> GameState:
        """Make a move; raises ToolRefusedError or `plywire.engine.game.IllegalMoveError`."""
        board = self.board(name)
        board.push(move)
        return GameState.of(name, board.line)

    async def advise(self, name: str, level: int | None, movetime: int) -> Advice:
        """Return the engine's move at `level`, None for its best move, in at most `movetime` ms.

        Raises ToolRefusedError if the game is over, or if too many searches wait.
        """
        line = self.board(name).line
        if line.position.is_over:
            raise ToolRefusedError("the game is over")
        player = EnginePlayer(level=level)
        async with self._search():
            await player.start(line.position.game)
            move = await player.choose(line, Limits(movetime=min(movetime, self.movetime)))
        found = player.searched
        return Advice(
            move=line.position.game.move_name(move),
            score=None if found is None else found.score,
            depth=None if found is None else found.depth,
            nodes=None if found is None else found.nodes,
        )

    async def review(self, name: str) -> GameReview:
        """Judge the moves from the last to the first, until the time of a search is up.

        Raises ToolRefusedError if no move was made, or if too many searches wait.
        """
        line = self.board(name).line
        if not line.moves:
            raise ToolRefusedError("no move was made yet")
        positions = [line.start, *line.start.play_names(line.names)]
        async with self._search():
            return await asyncio.to_thread(self._judge, GameJudge(positions, line.names))

    def _judge(self, review: GameJudge) -> GameReview:
        oracle = Oracle(nodes=_REVIEW_NODES)
        end = self._now() + self.movetime / 1000
        judged: list[ReviewAnswer] = []
        for position in review:
            found = oracle.analyse(position) if self._now() < end else None
            if (answer := review.add(found)) is not None:
                judged.append(answer)
        players, losing = review.outcome.players, review.outcome.losing
        return GameReview(moves=tuple(reversed(judged)), players=players, losing=losing)

    @asynccontextmanager
    async def _search(self) -> AsyncIterator[None]:
        if self._searches >= self._most_searches:
            raise ToolRefusedError("too many searches are waiting: try again later")
        self._searches += 1
        try:
            async with self._searching:
                yield
        finally:
            self._searches -= 1
