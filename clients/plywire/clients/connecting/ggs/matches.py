"""Our matches on GGS: matches in progress, their games, and adjourned games."""

import asyncio
import logging
from dataclasses import dataclass, field

from plywire.clients.play.players.base import GameLine

from . import messages
from .game import GgsGame
from .match_type import MatchType

log = logging.getLogger(__name__)

#: Maximum number of games at the same time, even if the server reports more.
MAX_GAMES = 64


@dataclass(slots=True)
class _Match:
    type: MatchType
    over: set[str] = field(default_factory=set)

    @property
    def left(self) -> int:
        return max(self.type.games - len(self.over), 0)


class Matches:
    """Our matches and games in progress, and how many more may begin."""

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.left: int | None = None
        """Number of games still to play; None is no limit."""
        self.games: dict[str, GgsGame] = {}
        self.lost: list[GgsGame] = []
        """Adjourned games that are not given up; they come before other games."""
        self.freed = asyncio.Event()
        self._running: dict[str, _Match] = {}

    def __contains__(self, id_: str) -> bool:
        return id_ in self._running

    def __len__(self) -> int:
        return len(self._running)

    @property
    def is_done(self) -> bool:
        return self.left is not None and self.left <= 0 and not self._running and not self.lost

    @property
    def is_full(self) -> bool:
        slots = len(self._running) + len({_match_of(game.id) for game in self.lost})
        games = sum(match.left for match in self._running.values()) + len(self.lost)
        return slots >= self.slots or (self.left is not None and games >= self.left)

    def start(self, id_: str, type_: MatchType) -> None:
        if id_ not in self._running and len(self._running) < MAX_GAMES:
            log.info("started match=%s type=%s", id_, type_)
            self._running[id_] = _Match(type_)

    def enter(self, id_: str, game: GgsGame) -> None:
        game.id = id_
        self.games[id_] = game
        self.start(_match_of(id_), MatchType(synchro=id_.count(".") > 1))

    def found_again(self, names: tuple[str, str], line: GameLine) -> GgsGame | None:
        """Remove and return the adjourned game that this line continues, if there is one."""
        for game in self.lost:
            old = game.line
            is_longer = old.start == line.start and line.moves[: len(old.moves)] == old.moves
            if game.names == names and (old.position == line.position or is_longer):
                self.lost.remove(game)
                return game
        return None

    def end_game(self, id_: str) -> GgsGame:
        game = self.games.pop(id_)
        if (match := self._running.get(_match_of(id_))) is not None:
            match.over.add(id_)
        if self.left is not None:
            self.left -= 1
        return game

    def end_match(self, ended: messages.MatchEnded) -> list[GgsGame]:
        """Note that a match is over or adjourned; return its finished games."""
        del self._running[ended.id]
        of_it = [id_ for id_ in self.games if _match_of(id_) == ended.id]
        games = [self.games.pop(id_) for id_ in of_it]
        self.freed.set()
        if ended.left:
            log.info("broken off match=%s: %s left", ended.id, ended.left)
            self.lost += games
            return []
        return games

    def break_off(self) -> None:
        """Note that the connection is lost: all games in progress are adjourned."""
        self.lost += self.games.values()
        self.games.clear()
        self._running.clear()

    def pop_forsaken(self) -> GgsGame | None:
        """Remove and return the oldest adjourned game if too many are kept, else return None."""
        return self.lost.pop(0) if len(self.lost) > 2 * self.slots else None


def _match_of(game: str) -> str:
    """Return the number of a game's match: `.5` for `.5` and for `.5.1`."""
    return f".{game.split('.')[1]}"
