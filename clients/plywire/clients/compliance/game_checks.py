"""Checks that run in each game that the engine plays."""

from plywire.clients.play.errors import PlayerUnfitError
from plywire.clients.play.matches.clock import RunningClock
from plywire.clients.play.players.base import GameLine
from plywire.engine.game import PASS
from plywire.protocol.dialects import DRIVING
from plywire.protocol.messages import play
from plywire.protocol.messages.limits import Clock, Limits

from .check import Check, Trial
from .checked_engine import (
    CheckedEngine,
    DeclinedError,
    FailedError,
    InapplicableError,
    SilentError,
)
from .positions import finished, passes, undecided

#: Maximum time from `stop` to the move, in ms. `Trial.margin` is added to it.
_PROMPT = 1000
#: Maximum wait for the answer to a query, in seconds. Engines that know no queries never answer.
_QUERY = 5.0

_LIMITS = (
    Limits(movetime=20),
    Limits(movetime=100),
    Limits(movetime=500),
    Limits(clock=Clock(p1=1000, p2=1000)),
    Limits(clock=Clock(p1=300, p2=300, inc1=100, inc2=100)),
)
#: Limits of the same kinds for GTP, which counts whole seconds.
_LIMITS_IN_SECONDS = (
    Limits(movetime=1000),
    Limits(movetime=2000),
    Limits(clock=Clock(p1=1000, p2=1000)),
    Limits(clock=Clock(p1=5000, p2=5000)),
    Limits(clock=Clock(p1=1000, p2=1000, byoyomi=1000, periods1=1, periods2=1)),
)


async def _new_game(trial: Trial) -> str:
    offered = trial.engine.hello.games
    if offered and trial.game.name not in offered:
        raise FailedError(str(PlayerUnfitError(trial.game.name, offered)))
    start = GameLine.at(trial.game.start())
    names = []
    for _ in range(2):
        await trial.engine.new_game(trial.game)
        move = await trial.engine.move(start, trial.quick)
        names.append(trial.game.move_name(move))
    return f"began with {names[0]}, and again with {names[1]}"


async def _legal_moves(trial: Trial) -> str:
    lines = undecided(trial.game, trial.positions)
    await trial.engine.new_game(trial.game)
    for number, line in enumerate(lines):
        trial.tell(f"{number} of {len(lines)} positions")
        await trial.engine.move(line, trial.quick)
    return f"{len(lines)} legal moves in {len(lines)} positions"


async def _time(trial: Trial) -> str:
    in_seconds = trial.subject.dialect == "gtp"
    limits = _LIMITS_IN_SECONDS if in_seconds else _LIMITS
    taken: list[str] = []
    is_late = False
    clock = RunningClock()
    for limit, line in zip(limits, undecided(trial.game, len(limits)), strict=True):
        trial.tell(f"{len(taken)} of {len(limits)} limits")
        await trial.engine.new_game(trial.game)
        await trial.engine.ask(play.SetPosition(moves=line.names))
        with clock.watched():
            began = clock.now()
            await trial.engine.think(line, limit)
            ms = round((clock.now() - began) * 1000)
        allowed = limit.left(line.position.turn + 1) or 0
        is_late |= ms > allowed + trial.margin
        taken.append(f"{ms} of {allowed}")
    said = f"{', '.join(taken)} ms"
    if is_late and in_seconds and not _was_told_its_time(trial.engine):
        raise InapplicableError(f"{said}; it knows neither time_settings nor time_left")
    if is_late:
        raise FailedError(said)
    return said


def _was_told_its_time(engine: CheckedEngine) -> bool:
    return any(line.startswith("> time_") for line in engine.last_lines)


async def _stop(trial: Trial) -> str:
    dialect, engine = DRIVING[trial.subject.dialect], trial.engine
    if dialect.in_turn:
        raise InapplicableError(f"{dialect.name} knows no `stop`")
    line = undecided(trial.game, 1)[0]
    await engine.new_game(trial.game)
    await engine.ask(play.SetPosition(moves=line.names))
    # Some dialects do not tell the engine its time. It then searches until `stop` even without
    # `infinite`.
    limits = Limits(infinite=dialect.keeps_time)
    wait = 0.2
    clock = RunningClock()
    with clock.watched():
        began = clock.now()
        best = await engine.stopped(limits, wait)
        ms = round((clock.now() - began - wait) * 1000)
    if not isinstance(best, play.BestMove) or best.move is None:
        raise FailedError("stopped, but named no move")
    if ms > _PROMPT + trial.margin:
        raise FailedError(f"moved {ms} ms after `stop`")
    await engine.ask(play.Stop())
    await engine.ask(play.Ping())
    return "moved before it was told to stop" if ms < 0 else f"moved {ms} ms after `stop`"


async def _pass(trial: Trial) -> str:
    lines = passes(trial.game, 5)
    if not lines:
        raise InapplicableError(f"no passes in {trial.game.title}")
    await trial.engine.new_game(trial.game)
    for line in lines:
        await trial.engine.move(line, trial.quick)
        # If the engine answers the position after the pass, it has understood the pass.
        if not (after := line.play(PASS)).position.is_over:
            await trial.engine.move(after, trial.quick)
    return f"passed {len(lines)} times, and went on"


async def _end(trial: Trial) -> str:
    if trial.subject.dialect == "nboard":
        raise InapplicableError("nboard does not say what `go` does then")
    engine = trial.engine
    await engine.new_game(trial.game)
    for line in finished(trial.game, 3):
        await engine.ask(play.SetPosition(moves=line.names))
        try:
            best = await engine.think(line, trial.quick)
        except DeclinedError:
            continue
        if isinstance(best, play.BestMove) and best.move not in (None, "pass"):
            raise FailedError(f"moved {best.move} although the game was over")
    await engine.new_game(trial.game)
    await engine.move(GameLine.at(trial.game.start()), trial.quick)
    return "named no move, and began another game"


async def _result(trial: Trial) -> str:
    await trial.engine.new_game(trial.game)
    lines = finished(trial.game, 3)
    for line in (GameLine.at(trial.game.start()), *lines):
        await trial.engine.ask(play.SetPosition(moves=line.names))
        try:
            told = (await trial.engine.ask(play.Result(), _QUERY))[0]
        except SilentError:
            raise InapplicableError("answers no queries; cutegames needs them") from None
        result = line.position.result()
        winner = None if result is None or result.winner is None else result.winner + 1
        expected = (result is not None, winner)
        if isinstance(told, play.ResultAnswer) and (told.over, told.winner) != expected:
            raise FailedError(
                f"after {' '.join(line.names)}: over {told.over}, winner {told.winner};"
                f" it is over {expected[0]}, winner {winner}"
            )
    return f"agreed in {1 + len(lines)} positions"


CHECKS = (
    Check("new game", "a legal first move, twice", _new_game, is_vital=True),
    Check("legal moves", "a move that the rules allow, in each position", _legal_moves),
    Check("time", "a move in its time, at five limits", _time),
    Check("stop", "a move within a second of `stop`", _stop),
    Check("pass", "a pass where no move is left", _pass),
    Check("end of game", "no move where the game is over", _end),
    Check("result", "the right winner, if asked", _result),
)
