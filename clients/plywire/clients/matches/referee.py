"""The referee of one game: asks for moves, checks them, keeps the clocks, finds who is to blame."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Self

from plywire.clients.errors import (
    GameEndedError,
    PlayerCrashedError,
    PlayerDisconnectedError,
    PlayerError,
    PlayerIllegalMoveError,
    PlayerLateError,
    PlayerStalledError,
    Termination,
)
from plywire.clients.players.base import Line, Player
from plywire.engine.game import Game, IllegalMoveError, Result
from plywire.protocol.messages.limits import Limits

from .records import GameRecord

#: Told of each move when it is made, as the line that it ends and how long it took, in ms; asked
#: in the moves' order, and answers in their order. What it keeps is kept before a player elsewhere
#: learns of the move and before the game ends; players of this process think on meanwhile.
MoveListener = Callable[[Line, int], Awaitable[None]]
#: Says how a game that still goes on will end, None if that is not proven.
Adjudicator = Callable[[Line], Awaitable[Result | None]]


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long players may think."""

    limits: Limits = field(default_factory=Limits)
    """Given to players that bring no limits of their own. With a clock in it, `p1` and `p2` are
    what each side starts with."""
    margin: int = 100
    """How far a move may come after its time, in ms: the way there and back takes time too."""
    max_lag: int = 0
    """How much of a player's measured lag is not counted as its time, at most, in ms a move."""
    patience: int = 60_000
    """How long, in ms, a player may stay silent after its time is up, or in all where it has no
    time limit, before it counts as stalled."""
    flag_falls: bool = False
    """Whether a player has lost as soon as its time, the margin and `max_lag` are over: no move can
    be in time any more, and others may be waiting. Without this, the patience after it tells who is
    late from who is silent."""


class _Clocks:
    """Both players' time, as the referee measures it, in ms."""

    def __init__(self, control: TimeControl) -> None:
        self._limits = control.limits

    def limits(self, player: Player) -> Limits:
        """What a player is told before it thinks."""
        return self._limits if player.limits is None else player.limits

    def spend(self, player: Player, turn: int, elapsed: int) -> None:
        """Take the time of a move off the player's clock and add the increment."""
        if (clock := self._limits.clock) is not None and player.limits is None:
            moved = clock.moved(turn + 1, elapsed)
            self._limits = self._limits.model_copy(update={"clock": moved})


class _Keeper:
    """Has moves kept while the game goes on; an asynchronous context manager."""

    #: So many moves may wait at once; a game has to wait for a disk that is slower than that.
    _AHEAD = 8

    def __init__(self, on_move: MoveListener | None) -> None:
        self._on_move = on_move
        self._keeping: deque[asyncio.Future[None]] = deque()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Wait as `kept` does; if the game was given up, what is being kept matters no more."""
        try:
            if kind is None:
                await self.kept()
        finally:
            for keeping in self._keeping:
                keeping.cancel()
            await asyncio.gather(*self._keeping, return_exceptions=True)

    async def keep(self, line: Line, ms: int) -> None:
        """Begin to keep a move; raises what keeps an earlier one from being kept."""
        if self._on_move is not None:
            self._keeping.append(asyncio.ensure_future(self._on_move(line, ms)))
        while self._keeping and (len(self._keeping) > self._AHEAD or self._keeping[0].done()):
            await self._keeping.popleft()

    async def kept(self) -> None:
        """Wait until all moves are kept; raises what keeps one from that."""
        while self._keeping:
            await self._keeping.popleft()


class Referee:
    """Conducts games between two players, one at a time."""

    def __init__(
        self,
        game: Game,
        control: TimeControl,
        *,
        adjudicate: Adjudicator | None = None,
        now: Callable[[], float] = time.monotonic,
        timeout: Callable[[float], asyncio.Timeout] = asyncio.timeout,
    ) -> None:
        """Referee games of that kind.

        `now` tells the time, in seconds, by which `timeout` waits.
        """
        self._game = game
        self._control = control
        self._adjudicate = adjudicate
        self._now = now
        self._timeout = timeout

    async def play(
        self,
        players: tuple[Player, Player],
        opening: Line,
        number: int = 0,
        *,
        played: Sequence[tuple[int, int]] = (),
        on_move: MoveListener | None = None,
    ) -> GameRecord:
        """Conduct one game from the end of an opening; the first player comes first.

        A game that was cut off goes on after the moves in `played`, each with the ms that it took.
        A player's failure ends the game against it; nothing that a player does raises from here.
        Raises what `on_move` and the adjudicator raise, and IllegalMoveError if `played` is not
        the course of a game.
        """
        clocks = _Clocks(self._control)
        line = opening
        times: list[int] = []
        lags: list[int] = []
        for move, elapsed in played:
            turn = line.position.turn
            line = line.play(move)
            clocks.spend(players[turn], turn, elapsed)
            times.append(elapsed)
            lags.append(0)

        def record(
            result: Result, termination: Termination, last_lines: tuple[str, ...] = ()
        ) -> GameRecord:
            return GameRecord(
                number=number,
                game=self._game.name,
                size=self._game.size,
                players=(players[0].name, players[1].name),
                fen=opening.start.fen(),
                moves=line.names,
                opening=len(opening.moves),
                times=tuple(times),
                winner=None if result.winner is None else (2 if result.winner else 1),
                score=result.score,
                termination=termination,
                reason=result.reason,
                lags=tuple(lags) if any(lags) else (),
                last_lines=last_lines,
            )

        culprit = 0
        async with _Keeper(on_move) as keeper:
            try:
                for culprit in () if line.position.is_over else (0, 1):
                    player = players[culprit]
                    async with self._waiting(player, self._control.patience):
                        await player.start(self._game)
                while (result := line.position.result()) is None:
                    if self._adjudicate and (proven := await self._adjudicate(line)):
                        return record(proven, Termination.ADJUDICATION)
                    culprit = line.position.turn
                    # Players that answer at once would keep the loop from everything else.
                    await asyncio.sleep(0)
                    if players[culprit].is_elsewhere:
                        await keeper.kept()
                    line = await self._move(players[culprit], line, clocks, times, lags)
                    await keeper.keep(line, times[-1])
            except PlayerError as error:
                reason = f"{players[culprit].name}: {error}"
                score = 1 if culprit else -1
                last_lines = players[culprit].last_lines
                return record(Result(1 - culprit, score, reason), error.termination, last_lines)
            except GameEndedError as end:
                if end.loser is None:
                    return record(Result(None, 0, str(end)), end.termination)
                score = 1 if end.loser else -1
                last_lines = players[end.loser].last_lines if end.termination.is_failure else ()
                return record(Result(1 - end.loser, score, str(end)), end.termination, last_lines)
            return record(result, Termination.NORMAL)

    async def _move(
        self, player: Player, line: Line, clocks: _Clocks, times: list[int], lags: list[int]
    ) -> Line:
        """The line with the player's next move; raises PlayerError if it fails to give one."""
        turn = line.position.turn
        limits = clocks.limits(player)
        allowed = limits.left(turn + 1)
        started = self._now()
        wait = self._control.patience
        flag = None
        if allowed is not None:
            latest = allowed + self._control.margin + self._control.max_lag
            flag = allowed if self._control.flag_falls else None
            wait = latest if self._control.flag_falls else latest + wait
        async with self._waiting(player, wait, flag):
            move = await player.choose(line, limits)
        elapsed = round((self._now() - started) * 1000)
        lag = min(player.lag, self._control.max_lag, elapsed)
        elapsed -= lag
        try:
            after = line.play(move)
        except IllegalMoveError as error:
            raise PlayerIllegalMoveError(str(error)) from None
        if allowed is not None and elapsed > allowed + self._control.margin:
            raise PlayerLateError(f"took {elapsed} ms where {allowed} ms were left")
        clocks.spend(player, turn, elapsed)
        times.append(elapsed)
        lags.append(lag)
        return after

    @asynccontextmanager
    async def _waiting(
        self, player: Player, wait: int, flag: int | None = None
    ) -> AsyncIterator[None]:
        """Wait that many ms for an answer; raises PlayerError for whatever asking for it raises.

        `flag` is the player's time in ms, if it is over with the wait. Raises GameEndedError if the
        game ended meanwhile.
        """
        try:
            async with self._timeout(wait / 1000) as timeout:
                yield
        except (PlayerError, GameEndedError):
            raise
        except Exception as error:
            if not timeout.expired():
                raise PlayerCrashedError(f"{type(error).__name__}: {error}") from error
            if player.is_away:
                raise PlayerDisconnectedError("was not connected when its time was up") from None
            if flag is not None:
                raise PlayerLateError(f"no move came in its {flag} ms") from None
            raise PlayerStalledError(f"no answer in {wait} ms") from None
