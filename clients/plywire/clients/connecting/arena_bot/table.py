"""A game that a bot plays in an arena."""

import asyncio
import time
from dataclasses import dataclass

from plywire.clients.connecting.seated_player import SeatedPlayer
from plywire.clients.play.errors import PlayerError, PlayerResignedError
from plywire.clients.play.players.base import GameLine
from plywire.engine.registry import load
from plywire.protocol.messages import arena
from plywire.protocol.messages.limits import Limits

from .connection import ArenaConnection

#: If a player without a time limit is silent for this time in ms, the record of the game gets a
#: note.
_SILENCE = 30_000


@dataclass(slots=True)
class Table:
    """A game in progress."""

    connection: ArenaConnection
    start: arena.Start
    seat: SeatedPlayer
    turn: int = -1
    answer: arena.Play | arena.Resign | None = None
    """The answer to the latest turn; None until it is found."""
    thinking: asyncio.Task[None] | None = None

    async def move(self, turn: arena.Turn) -> None:
        self.answer = await self._choose(turn)
        await self.connection.say(self.answer)

    async def _choose(self, turn: arena.Turn) -> arena.Play | arena.Resign:
        line = GameLine.at(load(self.start.game, self.start.size).parse(turn.fen))
        line = line.play_names(turn.moves)
        began = time.monotonic()

        async def choose() -> int | str:
            gone = round((time.monotonic() - began) * 1000)
            return await self._wait_for_move(line, turn.limits.after(self.start.player, gone))

        where = f"table={turn.table} turn={turn.turn}"
        try:
            move, said = await self.seat.move(line, choose, where, self._note)
        except PlayerResignedError:
            return arena.Resign(table=turn.table)
        except PlayerError as error:
            return arena.Resign(
                table=turn.table, termination=error.termination.value, reason=str(error)
            )
        return arena.Play(table=turn.table, turn=turn.turn, move=move, **dict(said))

    async def _wait_for_move(self, line: GameLine, limits: Limits) -> int | str:
        """Return the player's move; if it is late, add the player's last lines to the record."""
        left = limits.left(self.start.player)
        within = _SILENCE if left is None else left
        asked = limits.narrowed(self.seat.player.limits)
        choosing = asyncio.ensure_future(self.seat.player.choose(line, asked))
        try:
            done, _ = await asyncio.wait([choosing], timeout=within / 1000)
            if not done:
                # Keep waiting: the server may still accept the move.
                await self._note(f"no answer in {within} ms")
            return await choosing
        finally:
            choosing.cancel()
            await asyncio.gather(choosing, return_exceptions=True)

    async def _note(self, text: str) -> None:
        """Record a text and the player's last lines, except lines that may show code (`! `)."""
        lines = [line for line in self.seat.player.last_lines if not line.startswith("! ")] + [text]
        notes = [arena.Note(table=self.start.table, text=line) for line in lines]
        await asyncio.gather(*map(self.connection.tell, notes))
