"""How the native dialect writes the values of fields; most values are one word."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from pydantic import ValidationError

from plywire.protocol.dialects.parsing import Words, build, integer, syntax
from plywire.protocol.messages.base import EVENTS
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.play import Option, Score
from plywire.protocol.messages.review import Judged
from plywire.protocol.messages.watching import FeedEvent, feed_adapter
from plywire.protocol.validation import shorten


class Form(NamedTuple):
    """How the dialect writes values of one type."""

    read: Callable[[str, str], object]
    """Takes the name of a field and its text, and returns the value; raises PeerError."""
    write: Callable[[Any], str]


def _read_points(name: str, word: str) -> float:
    whole, _, half = word.partition(".")
    if half not in ("", "0", "5"):
        raise syntax("points are halves, such as 7.5")
    return integer(name, whole) + (0.5 if half == "5" else 0.0)


def _read_flag(name: str, word: str) -> bool:
    if word not in ("true", "false"):
        raise syntax(f"{name} is true or false, not {shorten(word)}")
    return word == "true"


def _read_option(name: str, word: str) -> Option:
    match word.split(":"):
        case [option, *numbers] if len(numbers) == 3:
            default, least, most = (integer(option, number) for number in numbers)
            return build(Option, name=option, default=default, min=least, max=most)
        case _:
            raise syntax(f"an option is NAME:DEFAULT:MIN:MAX, not {shorten(word)}")


def _read_judged(name: str, word: str) -> Judged:
    counts = [integer(name, number) for number in word.split(":")]
    if len(counts) != 3:
        raise syntax(f"a judged player is MOVES:BEST:SOUND, not {shorten(word)}")
    return build(Judged, **dict(zip(Judged.model_fields, counts, strict=True)))


def _read_score(name: str, text: str) -> Score:
    match text.split(" "):
        case ["draw"]:
            return Score(kind="draw")
        case ["cp" | "win" | "loss" | "exact" as kind, value]:
            return build(Score, kind=kind, value=integer(kind, value))
        case _:
            raise syntax("a score is cp N, win N, loss N, draw or exact N")


def _write_score(score: Score) -> str:
    return score.kind if score.kind == "draw" else f"{score.kind} {score.value}"


#: The keywords of limits. Each value says how many numbers follow the keyword.
LIMITS: Mapping[str, int] = MappingProxyType(
    {"movetime": 1, "depth": 1, "nodes": 1, "clock": 4, "byoyomi": 3, "infinite": 0}
)


def read_limits(verb: str, given: Mapping[str, Sequence[int]]) -> Limits:
    """Return the limits that these keywords and numbers describe."""
    clock = None
    if "clock" in given:
        numbers = (*given["clock"], *given.get("byoyomi", ()))
        clock = build(Clock, **dict(zip(Clock.model_fields, numbers, strict=False)))
    elif "byoyomi" in given:
        raise syntax(f"{verb}: byoyomi goes with clock")
    single = {key: given[key][0] for key in ("movetime", "depth", "nodes") if key in given}
    return build(Limits, **single, clock=clock, infinite="infinite" in given)


def _write_limits(limits: Limits) -> str:
    words = [
        f"{key} {value}"
        for key in ("movetime", "depth", "nodes")
        if (value := getattr(limits, key)) is not None
    ]
    if (clock := limits.clock) is not None:
        words.append(f"clock {clock.p1} {clock.p2} {clock.inc1} {clock.inc2}")
        if clock.byoyomi or clock.periods1 or clock.periods2:
            words.append(f"byoyomi {clock.byoyomi} {clock.periods1} {clock.periods2}")
    if limits.infinite:
        words.append("infinite")
    return " ".join(words)


#: The form of each type that `FORMS` does not list.
WORD = Form(lambda name, word: word, str)

FORMS: Mapping[object, Form] = MappingProxyType(
    {
        int: Form(integer, str),
        bool: Form(_read_flag, lambda flag: str(flag).lower()),
        float: Form(_read_points, "{:.1f}".format),
        Option: Form(_read_option, lambda it: f"{it.name}:{it.default}:{it.min}:{it.max}"),
        Judged: Form(_read_judged, lambda it: f"{it.moves}:{it.best}:{it.sound}"),
        Score: Form(_read_score, _write_score),
        # Only `_write_limits` is used: the grammar reads limits by their keywords.
        Limits: Form(WORD.read, _write_limits),
    }
)


def read_feed_event(rest: Words) -> FeedEvent:
    """Return the event in a JSON object, the form that programs need."""
    try:
        return feed_adapter().validate_json(" ".join(rest), strict=True)
    except ValidationError:
        kinds = ", ".join(name for name, kind in EVENTS.items() if issubclass(kind, FeedEvent))
        raise syntax(f"expected feed and a JSON object whose type is one of {kinds}") from None


def write_feed_event(event: FeedEvent) -> str:
    """Return the line of an event of the feed."""
    return f"feed {event.line}"
