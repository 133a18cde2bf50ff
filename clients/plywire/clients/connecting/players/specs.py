"""Specs: players by name, as in command lines.

    random  random:seed=7               any legal move
    greedy                              one ply ahead
    engine  engine:depth=6,hash=64      this engine, in this process
    engine:level=3                      the engine at a level from 1 to 10
    engine:book=0  engine:seed=7        without opening books; with repeatable random choices
    engine:book=learnt.npz              with an opening book of your own
    ugi:./my-engine --fast              a program that speaks UGI
    uci:./my-engine                     a program that speaks UCI
    gtp:edax -gtp -l 10                 a program that speaks GTP
    nboard:./ntest                      a program that speaks NBoard
    nboard?depth=12:./ntest             the same, with its own limits
    ugi:./my-engine?Hash=64&Threads=2   with the program's own options
    python:mybots:Hasty                 a class of your own: `python.py`
    python?process=1:mybots:Hasty       the same, in its own process
    tcp://host:7590  ws://host:7591     a server; ws://host:7591?movetime=100

`depth`, `movetime` (ms) and `nodes` are the player's own limits. They replace the match's limits,
and so does `level`. With `level`, only `movetime` is allowed. After the last `?` of a program's
command, outside quotes, come options of the program: `NAME=VALUE&NAME=VALUE`, with `%26` for `&`.
"""

import re
import shlex
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from pydantic import ValidationError

from plywire.clients.connecting.transports.url import DEFAULT_PORTS, split_url
from plywire.clients.play.players.base import Player
from plywire.clients.play.players.local import EnginePlayer, GreedyPlayer, RandomPlayer
from plywire.clients.play.players.python import PythonPlayer, load_class
from plywire.engine.engine import DEFAULT_HASH_MB
from plywire.engine.registry import read_book
from plywire.protocol.messages.limits import MAX_MS, MAX_PERIODS, Clock, Limits
from plywire.protocol.messages.play import Go
from plywire.protocol.numbers import read_decimal
from plywire.protocol.validation import refusal

from .external import ExternalPlayer
from .server import ServerPlayer

FORMS = (
    "random, greedy, engine, ugi:COMMAND (or uci, gtp, nboard), python:MODULE:CLASS, tcp://HOST:PORT"
    " or ws://HOST:PORT; `plywire match --help` has their options"
)

_LIMITS = ("depth", "movetime", "nodes")
#: Python code that serves the player class that its command line argument names.
_SERVE = (
    "import sys; from plywire.clients.connecting.ugi_engine import serve_class;"
    " serve_class(sys.argv[1])"
)
_DIALECTS = ("ugi", "uci", "gtp", "nboard")


class SpecError(ValueError):
    """A text names no player or no time control; the error says what is accepted."""


def parse_player(spec: str, name: str | None = None) -> Callable[[], Player]:
    """Read a spec and return a function that makes new players; raises SpecError.

    The players are called `name`, by default like the spec.
    """
    if spec.partition("://")[0] in DEFAULT_PORTS:
        return _remote(spec, name or spec)
    kind, _, rest = spec.partition(":")
    if kind.partition("?")[0] in _DIALECTS:
        return _external(spec, name or spec)
    if kind.partition("?")[0] == "python":
        return _python(spec, name or spec)
    match kind:
        case "random":
            seed = _options(spec, rest, ("seed",)).get("seed")
            return partial(RandomPlayer, seed, name=name or spec)
        case "greedy" if not rest:
            return partial(GreedyPlayer, name=name or spec)
        case "engine":
            book, rest = _book(spec, rest)
            options = _options(spec, rest, (*_LIMITS, "level", "hash", "threads", "book", "seed"))
            return partial(
                EnginePlayer,
                _limits(spec, options),
                level=options.get("level"),
                hash_mb=options.get("hash", DEFAULT_HASH_MB),
                threads=options.get("threads", 1),
                book=book or options.get("book", 1) != 0,
                seed=options.get("seed"),
                name=name or spec,
            )
    raise SpecError(f"no player {spec!r}; {_class_hint(kind, rest)}a player is {FORMS}")


def _class_hint(kind: str, rest: str) -> str:
    if kind in ("random", "greedy"):
        return ""
    module, name = kind.removesuffix(".py"), rest
    if not rest and kind[:1].isupper():
        module, name = "MODULE", kind
    if name.isidentifier() or module != kind:
        return f"write python:{module}:{name or 'CLASS'} for a class of your own; "
    return ""


def parse_clock(text: str) -> Clock:
    """Read a clock in one of these forms, all times in seconds.

        10          for the whole game
        10+0.1      with an increment for each move
        60+3x30     then three byo-yomi periods of 30 seconds
        60+1+3x30   with increment and byo-yomi

    Raises SpecError if the text has another form.
    """
    found = re.fullmatch(r"([^+x]+)(?:\+([^+x]+))?(?:\+([0-9]{1,9})x([^+x]+))?", text)
    seconds = [read_decimal(found[group] or "0") for group in (1, 2, 4)] if found else []
    times = [round(number * 1000) for number in seconds if number is not None and number >= 0]
    if found is None or len(times) < 3:
        raise SpecError(
            f"no time control {text!r}; write SECONDS+INCREMENT, such as 10+0.1,"
            " or SECONDS+PERIODSxSECONDS for byo-yomi, such as 60+3x30"
        )
    base, increment, byoyomi = times
    periods = int(found[3] or 0)
    if base + periods * byoyomi <= 0 or max(times) > MAX_MS:
        raise SpecError(f"time control {text!r}: between 1 ms and a day are accepted")
    if periods > MAX_PERIODS:
        raise SpecError(f"time control {text!r}: {MAX_PERIODS} periods at most are accepted")
    return Clock(
        p1=base,
        p2=base,
        inc1=increment,
        inc2=increment,
        byoyomi=byoyomi,
        periods1=periods,
        periods2=periods,
    )


def parse_limits(text: str) -> Limits:
    """Read limits such as `10+0.1`, `nodes=5000` or `60+3x30,depth=12`; raises SpecError."""
    limits: dict[str, Any] = {}
    for part in text.split(","):
        key, mark, value = part.partition("=")
        number: Clock | int
        if not mark:
            key, number = "clock", parse_clock(part)
        elif key in _LIMITS and value.isdecimal():
            number = int(value)
        else:
            raise SpecError(
                f"no limit {part!r}; write a clock, such as 10+0.1, or NAME=NUMBER with a name"
                f" of {', '.join(_LIMITS)}"
            )
        if key in limits:
            raise SpecError(f"{text!r} gives {key if mark else 'a clock'} twice")
        limits[key] = number
    try:
        return Limits.model_validate(limits)
    except ValidationError as error:
        raise SpecError(f"{text!r}: {refusal(error, Limits)}") from None


def _external(spec: str, name: str) -> Callable[[], Player]:
    head, _, text = spec.partition(":")
    dialect, _, query = head.partition("?")
    command, options = _command(spec, text)
    if not command:
        raise SpecError(f"{spec!r} names no program; write {dialect}:COMMAND ARGUMENTS")
    limits = _limits(spec, _query(spec, query, _LIMITS))
    return partial(ExternalPlayer, command, dialect, limits=limits, options=options, name=name)


def _command(spec: str, text: str) -> tuple[list[str], dict[str, str]]:
    head, _, tail = text.rpartition("?")
    pairs = [pair.partition("=") for pair in tail.split("&")]
    if head and all(key and mark for key, mark, _ in pairs):
        with suppress(ValueError):  # a `?` within quotes does not begin options
            return shlex.split(head), {unquote(key): unquote(value) for key, _, value in pairs}
    try:
        return shlex.split(text), {}
    except ValueError as error:
        raise SpecError(f"{spec!r}: {error}") from None


def _python(spec: str, name: str) -> Callable[[], Player]:
    head, _, path = spec.partition(":")
    options = _query(spec, head.partition("?")[2], (*_LIMITS, "process"))
    limits = _limits(spec, options)
    if options.get("process"):
        # Without -P, Python would import a user's file such as queue.py in place of its own module.
        command = [sys.executable, "-P", "-c", _SERVE, path]
        return partial(ExternalPlayer, command, "ugi", limits=limits, name=name)
    try:
        return partial(PythonPlayer, load_class(path), limits=limits, name=name)
    except ValueError as error:
        raise SpecError(f"{spec!r}: {error}") from None


def _remote(spec: str, name: str) -> Callable[[], Player]:
    try:
        split_url(spec)
    except ValueError as error:
        raise SpecError(str(error)) from None
    parts = urlsplit(spec)
    options = _query(spec, parts.query, (*_LIMITS, "level"))
    limits, level = _limits(spec, options), options.get("level")
    return partial(ServerPlayer, parts._replace(query="").geturl(), limits, level=level, name=name)


def _query(spec: str, query: str, known: tuple[str, ...]) -> dict[str, int]:
    pairs = ",".join(f"{key}={value}" for key, value in parse_qsl(query, True))
    return _options(spec, pairs, known)


def _options(spec: str, text: str, known: tuple[str, ...]) -> dict[str, int]:
    options: dict[str, int] = {}
    for pair in filter(None, text.split(",")):
        key, _, value = pair.partition("=")
        if key not in known or not value.isdecimal():
            accepted = ", ".join(f"{name}=NUMBER" for name in known)
            raise SpecError(f"{spec!r}: no option {pair!r}; accepted are {accepted}")
        options[key] = int(value)
    return options


def _book(spec: str, text: str) -> tuple[Path | None, str]:
    """Take `book=FILE` out of `key=N,key=N`; return the file, if any, and the other options."""
    pairs = text.split(",")
    files = [pair for pair in pairs if re.match("book=(?![0-9]+$)", pair)]
    if not files:
        return None, text
    file = Path(files[-1].partition("=")[2])
    try:
        read_book(file)
    except (OSError, ValueError) as error:
        raise SpecError(f"{spec!r}: book is 0, 1 or a file: {error}") from None
    return file, ",".join(pair for pair in pairs if pair not in files)


def _limits(spec: str, options: dict[str, int]) -> Limits | None:
    """Return the player's own limits, or None if the match's limits apply; raises SpecError."""
    chosen = {key: options[key] for key in _LIMITS if key in options}
    if not chosen and "level" not in options:
        return None
    try:
        return Go.model_validate({"limits": chosen, "level": options.get("level")}).limits
    except ValidationError as error:
        raise SpecError(f"{spec!r}: {refusal(error, Go)}") from None
