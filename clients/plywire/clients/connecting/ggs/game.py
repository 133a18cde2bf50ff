"""One of our games on GGS: the position as the server shows it, the clocks, and our move."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass

from plywire.clients.connecting.seated_player import SeatedPlayer
from plywire.clients.play.errors import PlayerError
from plywire.clients.play.players.base import GameLine
from plywire.engine.game import PASS, Game, IllegalMoveError
from plywire.protocol.ggf import GgfGame, GgfMove, square
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.play import Searched

from . import messages
from .clock import GgsClock


@dataclass(frozen=True, slots=True)
class GameOver:
    """A finished game of ours."""

    id: str
    players: tuple[str, str]
    """Logins of Black and White."""
    me: int
    score: float | None
    """Our score in discs; None if the server did not send it."""
    reason: str
    line: GameLine
    """The moves, from the first position that the server showed."""

    def as_ggf(self, place: str) -> GgfGame:
        black = self.score if self.me == 0 or self.score is None else 0 - self.score
        return GgfGame(
            moves=tuple(map(GgfMove, self.line.names)),
            fen=self.line.start.fen(),
            black=self.players[0],
            white=self.players[1],
            place=place,
            result="?" if black is None else f"{black:+.3f}",
        )


@dataclass(slots=True, eq=False)
class GgsGame:
    """A game of ours in progress."""

    id: str
    names: tuple[str, str]
    """Logins of Black and White."""
    mine: frozenset[int]
    """The sides that we play: one, or both in a match against ourselves."""
    seat: SeatedPlayer
    line: GameLine
    clocks: tuple[GgsClock, GgsClock]
    shown: float = 0.0
    """When the server showed the position, by the monotonic clock."""
    answer: str = ""
    """Command for the server, with `{}` for the number of the game; empty during the search."""
    thinking: asyncio.Task[None] | None = None

    @property
    def command(self) -> str:
        return self.answer.format(self.id)

    @property
    def is_our_turn(self) -> bool:
        return self.line.position.turn in self.mine and not self.line.position.is_over

    def forget(self) -> None:
        """Stop the search of the earlier position; return before the search has ended."""
        if self.thinking is not None and not self.thinking.done():
            self.thinking.cancel()
            self.seat.is_started = False
        self.answer = ""

    async def find_answer(self) -> None:
        """Find the move; resign if the player fails repeatedly."""
        line, began = self.line, self.shown
        if line.position.moves() == (PASS,):  # a forced pass must be sent, too
            self.answer = "play {} PA"
            return

        async def choose() -> int | str:
            return await self.seat.player.choose(line, self._limits(line.position.turn, began))

        try:
            move, said = await self.seat.move(line, choose, f"game={self.id}")
        except PlayerError:
            self.answer = "resign {}"
        else:
            seconds = time.monotonic() - began
            self.answer = f"play {{}} {square(move)}/{_discs(said)}/{seconds:.2f}"

    def _limits(self, turn: int, began: float) -> Limits:
        gone = round((time.monotonic() - began) * 1000)
        clocks = [
            clock.after(gone) if side == turn else clock for side, clock in enumerate(self.clocks)
        ]
        black, white = clocks
        clock = Clock(
            p1=black.to_spend, p2=white.to_spend, inc1=black.increment, inc2=white.increment
        )
        return Limits(clock=clock).narrowed(self.seat.player.limits)

    def over(self, ended: messages.GameEnded) -> GameOver:
        me, score = min(self.mine), ended.score
        if score is not None and ended.players[0].lower() != self.names[me].lower():
            score = 0 - score
        return GameOver(self.id, self.names, me, score, ended.reason, self.line)


def line_to(rules: Game, line: GameLine | None, shown: messages.GameShown) -> GameLine:
    """Return a line that ends in the shown position; it continues `line` if possible.

    If no known moves lead there, the line starts in the shown position. Raises PositionError if the
    board is impossible.
    """
    position = rules.parse(shown.fen)
    if line is not None and line.position == position:
        return line
    begins = [GameLine.at(rules.parse(shown.start)), GameLine.at(rules.start())]
    for begin in [*([] if line is None else [line]), *begins]:
        with suppress(IllegalMoveError):
            found = begin.play_names(move.name for _, move in shown.moves)
            if found.position == position:
                return found
    return GameLine.at(position)


def _discs(said: Searched) -> str:
    match said.score:
        case None:
            return ""
        case score if score.kind == "cp":
            return f"{score.value / 100:.2f}"
        case score:
            return f"{score.value}" if score.kind in ("exact", "draw") else ""
