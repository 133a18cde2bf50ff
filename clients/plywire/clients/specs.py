"""Players by name, as command lines give them.

    random  random:seed=7               any legal move
    greedy                              one ply ahead
    engine  engine:depth=6,hash=64      this engine, in this process
    ugi:./my-engine --fast              a program that speaks UGI
    uci:./my-engine                     a program that speaks UCI
    tcp://host:7590  ws://host:7591     a server; ws://host:7591?movetime=100

`depth`, `movetime` (ms) and `nodes` are the player's own limits, in place of the match's.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import partial
from urllib.parse import parse_qsl, urlsplit

from pydantic import ValidationError

from plywire.protocol.limits import Limits

from .bots import EnginePlayer, GreedyPlayer, RandomPlayer
from .external import ExternalPlayer
from .players import Player
from .remote import RemotePlayer
from .transports import DEFAULT_PORTS, split_url

FORMS = (
    "random[:seed=N], greedy, engine[:depth=N,movetime=MS,nodes=N,hash=MB,threads=N], "
    "ugi:COMMAND, uci:COMMAND, tcp://HOST:PORT or ws://HOST:PORT[?depth=N&movetime=MS&nodes=N]"
)

_LIMITS = ("depth", "movetime", "nodes")


class PlayerSpecError(ValueError):
    """A player's name that says no player; the text says what is accepted."""


def parse_player(spec: str) -> Callable[[], Player]:
    """What makes such players, a new one each call.

    Raises PlayerSpecError if the text names no player.
    """
    if spec.partition("://")[0] in DEFAULT_PORTS:
        return _remote(spec)
    kind, _, rest = spec.partition(":")
    match kind:
        case "random":
            seed = _options(spec, rest, ("seed",)).get("seed")
            return partial(RandomPlayer, seed, name=spec)
        case "greedy" if not rest:
            return partial(GreedyPlayer, name=spec)
        case "engine":
            options = _options(spec, rest, (*_LIMITS, "hash", "threads"))
            return partial(
                EnginePlayer,
                _limits(spec, options),
                hash_mb=options.get("hash", 16),
                threads=options.get("threads", 1),
                name=spec,
            )
        case "ugi" | "uci":
            try:
                command = shlex.split(rest)
            except ValueError as error:
                raise PlayerSpecError(f"{spec!r}: {error}") from None
            if not command:
                raise PlayerSpecError(f"{spec!r} names no program; write {kind}:COMMAND ARGUMENTS")
            return partial(ExternalPlayer, command, kind, name=spec)
    raise PlayerSpecError(f"no player {spec!r}; a player is {FORMS}")


def _remote(spec: str) -> Callable[[], Player]:
    try:
        split_url(spec)
    except ValueError as error:
        raise PlayerSpecError(str(error)) from None
    parts = urlsplit(spec)
    pairs = ",".join(f"{key}={value}" for key, value in parse_qsl(parts.query, True))
    limits = _limits(spec, _options(spec, pairs, _LIMITS))
    return partial(RemotePlayer, parts._replace(query="").geturl(), limits, name=spec)


def _options(spec: str, text: str, known: tuple[str, ...]) -> dict[str, int]:
    """The numbers in `key=N,key=N`."""
    options: dict[str, int] = {}
    for pair in filter(None, text.split(",")):
        key, _, value = pair.partition("=")
        if key not in known or not value.isdecimal():
            accepted = ", ".join(f"{name}=NUMBER" for name in known)
            raise PlayerSpecError(f"{spec!r}: no option {pair!r}; accepted are {accepted}")
        options[key] = int(value)
    return options


def _limits(spec: str, options: dict[str, int]) -> Limits | None:
    chosen = {key: options[key] for key in _LIMITS if key in options}
    try:
        return Limits.model_validate(chosen) if chosen else None
    except ValidationError as error:
        problem = error.errors()[0]
        raise PlayerSpecError(f"{spec!r}: {problem['loc'][0]}: {problem['msg']}") from None
