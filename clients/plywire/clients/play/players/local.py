"""Players in this process: random, greedy, and the engine."""

import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from plywire.clients.play import translate
from plywire.clients.play.errors import PlayerError, PlayerGarbledError
from plywire.engine.analysis import AnalysisLine
from plywire.engine.engine import DEFAULT_HASH_MB
from plywire.engine.game import Game, Position
from plywire.engine.readiness import PreparationError
from plywire.engine.registry import backend_of, read_book
from plywire.engine.search.plain_rules import off_centre
from plywire.engine.search.stop import Stop
from plywire.protocol.messages.limits import Limits

from .async_engine import AsyncEngine
from .base import GameLine, LocalPlayer


class _QuickPlayer(LocalPlayer):
    """A player that moves in less time than a call of a thread takes."""

    async def start(self, game: Game) -> None:
        self.prepare(game)

    async def choose(self, line: GameLine, limits: Limits) -> int:
        return self.think(line, limits, Stop())


class RandomPlayer(_QuickPlayer):
    """Plays random legal moves, all equally likely."""

    def __init__(self, seed: int | None = None, name: str = "random") -> None:
        """`seed` seeds the generator; without a seed, each run differs."""
        self.name = name
        self._random = random.Random(seed)

    def think(self, line: GameLine, limits: Limits, stop: Stop) -> int:
        return self._random.choice(line.position.moves())


class GreedyPlayer(_QuickPlayer):
    """Looks one ply ahead: wins if possible, prevents an immediate loss, else maximises discs.

    Equal moves are ranked by their nearness to the centre.
    """

    def __init__(self, name: str = "greedy") -> None:
        self.name = name

    def think(self, line: GameLine, limits: Limits, stop: Stop) -> int:
        return max(line.position.moves(), key=partial(_greedy_key, line.position))


def _greedy_key(position: Position, move: int) -> tuple[bool, bool, int, int]:
    """Return the rank of a move by four criteria, the most important first.

    The move wins, it does not lose at once, the lead in discs, the nearness to the centre.
    """
    side = position.turn
    after = position.play(move)
    result = after.result()
    wins = result is not None and result.winner == side
    loses = any(
        reply is not None and reply.winner == 1 - side
        for reply in (after.play(answer).result() for answer in after.moves())
    )
    discs = Counter("".join(after.cells()))
    lead = discs["x"] - discs["o"] if side == 0 else discs["o"] - discs["x"]
    return wins, not loses, lead, -sum(steps**2 for steps in off_centre(position.game, move))


class EnginePlayer(LocalPlayer):
    """The engine as a player."""

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        hash_mb: int = DEFAULT_HASH_MB,
        threads: int = 1,
        book: bool | Path = True,
        seed: int | None = None,
        level: int | None = None,
        name: str = "engine",
    ) -> None:
        """Set limits (None for the match's), table size, threads, book and level.

        `book` is a file, or whether to use the game's own books. With a `level`, which may change
        at any time, only time limits count.
        """
        self.name = name
        self.limits = limits
        self.level = level
        self._chance = random.Random(seed)
        self._book = book
        self._engine = AsyncEngine(hash_mb=hash_mb, threads=threads, book=book, seed=seed)

    def prepare(self, game: Game) -> None:
        """Forget the last game, and wait until the engine is ready; raises PlayerError."""
        if isinstance(self._book, Path):
            self._check_book(self._book, game)
        try:
            self._engine.prepare(game)
        except PreparationError as error:
            raise PlayerError(f"{self.name}: {game.name} cannot be prepared: {error}") from None

    def _check_book(self, file: Path, game: Game) -> None:
        try:
            book = read_book(file)
        except (OSError, ValueError) as error:
            raise PlayerError(f"{self.name}: {error}") from None
        if book.game != game:
            of, played = (f"{it.name} {it.size}" for it in (book.game, game))
            raise PlayerError(f"{self.name}: {file} is an opening book of {of}, not of {played}")

    def think(self, line: GameLine, limits: Limits, stop: Stop) -> int:
        """Return the engine's best move, or a move at its level."""
        position, asked = line.position, translate.limits(limits)
        tell = self._report(position.game)
        if self.level is None:
            found = self._engine.search(position, asked, stop, tell)
            best = found.best
        else:
            levels = backend_of(position.game).levels
            asked, lines = levels.search(self.level, position, asked)
            found = self._engine.search(position, asked, stop, tell, multipv=lines)
            best = levels.pick(self.level, found, self._chance)
        if best is None:
            raise PlayerGarbledError("the engine found no move")
        self.searched = translate.searched(found, best)
        return best

    def _report(self, game: Game) -> Callable[[AnalysisLine], None] | None:
        if (listener := self.on_info) is None:
            return None

        def report(line: AnalysisLine) -> None:
            listener(translate.info(line, game))

        return report

    async def close(self) -> None:
        self._engine.close()
