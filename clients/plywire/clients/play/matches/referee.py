"""The referee of a game: asks for moves, checks them, keeps the clocks, finds who is to blame."""

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from plywire.clients.play.errors import (
    GameEndedError,
    PlayerCrashedError,
    PlayerDisconnectedError,
    PlayerError,
    PlayerLateError,
    PlayerResignedError,
    PlayerStalledError,
    Termination,
)
from plywire.clients.play.players.base import GameLine, LocalPlayer, Player
from plywire.engine.game import Game, Result
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Searched

from .adjudication import PLAYED_OUT, EarlyEnd
from .clock import RefereeClock, RunningClock
from .game_host import Adjudicator, GameHost, LoopHost, ThreadHost, WaitOverError
from .game_host import MoveListener as MoveListener
from .lag_allowance import LagAllowance
from .records import GameRecord

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long players may think."""

    limits: Limits = field(default_factory=Limits)
    """Limits for players without their own; `p1` and `p2` of a clock are the initial times."""
    players: Mapping[str, Limits] = field(default_factory=dict)
    """Limits for players of these names, in place of `limits`."""
    margin: int = 100
    """How late a move may be, in ms: messages need time, too."""
    max_lag: int = 0
    """Most lag that is not counted, in ms for each move; `LagAllowance` limits the sum."""
    patience: int = 60_000
    """Longest silence in ms, counted from the end of a player's time if the time is limited."""
    flag_falls: bool = False
    """Whether a player loses as soon as its time, the margin and `max_lag` are over."""

    def of(self, names: tuple[str, str]) -> tuple[Limits, Limits]:
        """Return the limits of two players, each clock with the opponent's time on it."""
        first, second = (self.players.get(name, self.limits) for name in names)
        return first.facing(1, second), second.facing(2, first)

    def shown(self, names: tuple[str, str]) -> Limits:
        """Return what spectators see: the limits that both players have in common."""
        first, second = self.of(names)
        return first.common(second)


class _Scoresheet:
    """Notes for each move, and both players' time, in ms."""

    def __init__(self, control: TimeControl, players: tuple[Player, Player]) -> None:
        given = control.of((players[0].name, players[1].name))
        self._limits = [
            limits if player.limits is None else player.limits
            for player, limits in zip(players, given, strict=True)
        ]
        self._allowances = [
            LagAllowance(limits, player) for player, limits in enumerate(self._limits, 1)
        ]
        self._max_lag = control.max_lag
        self.times: list[int] = []
        self.lags: list[int] = []
        self.pauses: list[int] = []
        self.clocks: list[int | None] = []
        self.searches: list[Searched | None] = []

    def limits(self, turn: int) -> Limits:
        return self._limits[turn].facing(turn + 1, self._limits[1 - turn])

    def max_lag(self, turn: int) -> int:
        return min(self._max_lag, self._allowances[turn].left)

    def note(
        self,
        turn: int,
        elapsed: int,
        lag: int = 0,
        pause: int = 0,
        searched: Searched | None = None,
    ) -> None:
        self._allowances[turn].moved(lag)
        left = None
        limits = self._limits[turn]
        if limits.clock is not None:
            moved = limits.clock.moved(turn + 1, elapsed)
            self._limits[turn] = limits.model_copy(update={"clock": moved})
            left = moved.left(turn + 1)
        self.times.append(elapsed)
        self.lags.append(lag)
        self.pauses.append(pause)
        self.clocks.append(left)
        self.searches.append(searched)


class Referee:
    """Conducts games between two players, one at a time."""

    def __init__(
        self,
        game: Game,
        control: TimeControl,
        *,
        adjudicate: Adjudicator | None = None,
        early_end: EarlyEnd = PLAYED_OUT,
        clock: RefereeClock | None = None,
    ) -> None:
        """`adjudicate` ends games with a proven result, `early_end` by resignation or agreement."""
        self._game = game
        self._control = control
        self._adjudicate = adjudicate
        self._early_end = early_end
        self._clock = RunningClock() if clock is None else clock

    async def play(
        self,
        players: tuple[Player, Player],
        opening: GameLine,
        number: int = 0,
        *,
        played: Sequence[tuple[int, int]] = (),
        on_move: MoveListener | None = None,
    ) -> GameRecord:
        """Conduct a game from the end of an opening; the first player moves first.

        Two players of this process play in their own thread. `played` lists the moves of an
        interrupted game, each with its time in ms; the game goes on after them.

        Failures of players end the game and are never raised. Raises errors of `on_move` and of the
        adjudicator, and IllegalMoveError if `played` is not the course of a game.
        """
        is_local = all(isinstance(player, LocalPlayer) for player in players)
        host = (ThreadHost if is_local else LoopHost)(on_move, self._clock)
        with self._clock.watched():
            async with host:
                return await host.play(partial(self._conduct, players, opening, number, played))

    async def _conduct(
        self,
        players: tuple[Player, Player],
        opening: GameLine,
        number: int,
        played: Sequence[tuple[int, int]],
        host: GameHost,
    ) -> GameRecord:
        sheet = _Scoresheet(self._control, players)
        line = opening
        for move, elapsed in played:
            turn = line.position.turn
            line = line.play(move)
            sheet.note(turn, elapsed)

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
                times=tuple(sheet.times),
                winner=None if result.winner is None else (2 if result.winner else 1),
                score=result.score,
                termination=termination,
                reason=result.reason,
                lags=tuple(sheet.lags) if any(sheet.lags) else (),
                pauses=tuple(sheet.pauses) if any(sheet.pauses) else (),
                clocks=tuple(sheet.clocks) if any(sheet.clocks) else (),
                searches=tuple(sheet.searches) if any(sheet.searches) else (),
                last_lines=last_lines,
                warnings=tuple(
                    f"{player.name}: {warning}"
                    for player in players
                    for warning in player.take_warnings()
                ),
            )

        culprit = 0
        try:
            for culprit in () if line.position.is_over else (0, 1):
                player, wait = players[culprit], self._control.patience
                await self._ask(player, host.start(player, self._game, wait / 1000), wait)
            while (result := line.position.result()) is None:
                if self._adjudicate and (proven := await host.adjudicate(self._adjudicate, line)):
                    return record(proven, Termination.ADJUDICATION)
                culprit = line.position.turn
                await host.turn_to(players[culprit])
                line = await self._move(host, players[culprit], line, sheet)
                await host.keep(line, sheet.times[-1])
                if not line.position.is_over:
                    names = players[0].name, players[1].name
                    self._early_end.check(names, culprit, sheet.searches, len(line.moves))
        except PlayerResignedError as error:
            reason = f"{players[culprit].name} {error}"
            return record(Result(1 - culprit, 1 if culprit else -1, reason), error.termination)
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
        self, host: GameHost, player: Player, line: GameLine, sheet: _Scoresheet
    ) -> GameLine:
        turn = line.position.turn
        limits = sheet.limits(turn)
        allowed = limits.left(turn + 1)
        max_lag = sheet.max_lag(turn)
        started, paused = self._clock.now(), self._clock.paused
        wait = self._control.patience
        flag = None
        if allowed is not None:
            latest = allowed + self._control.margin + max_lag
            flag = allowed if self._control.flag_falls else None
            wait = latest if self._control.flag_falls else latest + wait
        player.searched, player.worked = None, 0.0
        move = await self._ask(player, host.choose(player, line, limits, wait / 1000), wait, flag)
        answered = self._clock.now() if player.answered is None else player.answered
        pause = round((self._clock.paused - paused) * 1000)
        elapsed = round(max(0.0, answered - started, player.worked) * 1000)
        lag = min(player.lag, max_lag, elapsed)
        elapsed -= lag
        after = line.chosen(move)
        if allowed is not None and elapsed > allowed + self._control.margin:
            raise PlayerLateError(f"took {elapsed} ms where {allowed} ms were left")
        sheet.note(turn, elapsed, lag, pause, player.searched)
        return after

    async def _ask(
        self, player: Player, answer: Awaitable[T], wait: int, flag: int | None = None
    ) -> T:
        """Return a player's answer; raises PlayerError for every error of the player.

        The answer comes within `wait` ms. If the player loses on time without an answer, `flag` is
        the player's time in ms. Raises GameEndedError if the game ended meanwhile.
        """
        try:
            return await answer
        except (PlayerError, GameEndedError):
            raise
        except WaitOverError:
            if player.is_away:
                raise PlayerDisconnectedError("was not connected when its time was up") from None
            if flag is not None:
                raise PlayerLateError(f"no move came in its {flag} ms") from None
            raise PlayerStalledError(f"no answer in {wait} ms") from None
        except Exception as error:
            raise PlayerCrashedError(f"{type(error).__name__}: {error}") from error
