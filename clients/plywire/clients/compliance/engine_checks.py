"""Checks that are independent of the game; they run before and after the checks of the games."""

import asyncio

from plywire.clients.play.players.base import GameLine
from plywire.protocol.messages import play

from .check import Check, Trial
from .checked_engine import CheckedEngine, FailedError, InapplicableError

#: Lines that no dialect knows as commands. Every dialect accepts lines of these lengths.
_GARBAGE = ("xyzzy 1 2 3", "", " \t ", "?!@$%&*()", "such a long line " * 60)

#: A command for each dialect that every engine answers, and a text that the answer contains.
_SIGN_OF_LIFE = {
    "ugi": ("isready", "readyok"),
    "uci": ("isready", "readyok"),
    "gtp": ("4711 protocol_version", "4711"),
    "nboard": ("ping 4711", "pong 4711"),
    "json": ('{"type": "ping", "id": 4711}', "pong"),
}


async def _greeting(trial: Trial) -> str:
    hello = trial.engine.hello
    parts = [f"{hello.server} {hello.software}".strip()]
    if hello.games:
        parts.append(f"plays {', '.join(hello.games)}")
    return "; ".join(parts)


async def _options(trial: Trial) -> str:
    options = trial.engine.options
    if not options:
        raise InapplicableError("offers none")
    for option in options:
        if not option.default or option.kind == "button":
            continue
        if not option.takes(option.default):
            raise FailedError(f"the default {option.default} does not go with {option}")
        await trial.engine.ask(play.SetOption(name=option.name, value=option.default))
    return "; ".join(map(str, options))


async def _garbage(trial: Trial) -> str:
    line, answer = _SIGN_OF_LIFE[trial.subject.dialect]
    await trial.engine.exchange([*_GARBAGE, line], answer)
    await _play(trial.engine, trial)
    return f"went on after {len(_GARBAGE)} lines"


async def _quit(trial: Trial) -> str:
    how = await trial.engine.quit()
    if not trial.subject.command:
        return how
    status, *_ = how.partition(":")
    if status != "exited with status 0":
        raise FailedError(how)
    return status


async def _restart(trial: Trial) -> str:
    # The `quit` check has ended the engine, so `trial.engine` is a new process or connection.
    await _play(trial.engine, trial)
    return "greeted and moved again"


async def _two(trial: Trial) -> str:
    other = await CheckedEngine.open(trial.subject)
    try:
        await other.greet()
        await asyncio.gather(_play(trial.engine, trial), _play(other, trial))
    finally:
        await other.close()
    return "both moved"


async def _play(engine: CheckedEngine, trial: Trial) -> None:
    await engine.new_game(trial.game)
    await engine.move(GameLine.at(trial.game.start()), trial.quick)


FIRST = (
    Check("greeting", "introduces itself", _greeting, is_vital=True),
    Check("options", "takes the default of each", _options),
)
LAST = (
    Check("garbage", "ignores lines that are no commands", _garbage),
    Check("quit", "ends, with status 0", _quit),
    Check("restart", "starts again after it has ended", _restart),
    Check("two at once", "two of it play at the same time", _two),
)
