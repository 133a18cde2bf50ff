"""Players that do as a test says."""

from collections.abc import Callable, Iterable

from plywire.clients.play.players.base import GameLine, LocalPlayer, Player
from plywire.engine.game import Game
from plywire.engine.search.stop import Stop
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Searched


class Scripted(Player):
    """Plays the moves of a script, by name, and begins again with every game."""

    def __init__(
        self,
        script: Iterable[str],
        name: str = "scripted",
        before: Callable[[], None] = lambda: None,
        limits: Limits | None = None,
        searches: Iterable[Searched | None] = (),
    ) -> None:
        self.name = name
        self.limits = limits
        self.told: list[Limits] = []
        self._script = tuple(script)
        self._before = before
        self._left = iter(self._script)
        self._searches = iter(searches)

    async def start(self, game: Game) -> None:
        self._left = iter(self._script)

    async def choose(self, line: GameLine, limits: Limits) -> int:
        self.told.append(limits)
        self._before()
        self.searched = next(self._searches, None)
        return line.position.game.parse_move(line.position, next(self._left))


class LocalScripted(LocalPlayer):
    """Does the same in the thread that asks it; `before` is given the stop."""

    def __init__(
        self,
        script: Iterable[str],
        name: str = "scripted",
        before: Callable[[Stop], object] = lambda stop: None,
        limits: Limits | None = None,
    ) -> None:
        self.name = name
        self.limits = limits
        self.told: list[Limits] = []
        self._script = tuple(script)
        self._before = before
        self._left = iter(self._script)

    def prepare(self, game: Game) -> None:
        self._left = iter(self._script)

    def think(self, line: GameLine, limits: Limits, stop: Stop) -> int:
        self.told.append(limits)
        self._before(stop)
        return line.position.game.parse_move(line.position, next(self._left))
