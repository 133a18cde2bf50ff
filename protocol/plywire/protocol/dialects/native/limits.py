"""Limits in the native dialect."""

from collections.abc import Mapping

from plywire.protocol.dialects.words import Words, build, numbers, syntax
from plywire.protocol.messages.limits import Clock, Limits

_LIMITS = {"movetime": 1, "depth": 1, "nodes": 1, "clock": 4, "byoyomi": 3, "infinite": 0}


def read_limits(
    verb: str, rest: Words, others: Mapping[str, int] | None = None
) -> tuple[Limits, dict[str, list[int]]]:
    """The limits in words, and what `others` among them, each with its count of numbers, hold.

    Raises PeerError for words that are neither.
    """
    given = numbers(verb, rest, {**_LIMITS, **(others or {})})
    single = {key: given[key][0] for key in ("movetime", "depth", "nodes") if key in given}
    clock = None
    if "clock" in given:
        p1, p2, inc1, inc2 = given["clock"]
        byoyomi, periods1, periods2 = given.get("byoyomi", (0, 0, 0))
        clock = build(
            Clock,
            p1=p1,
            p2=p2,
            inc1=inc1,
            inc2=inc2,
            byoyomi=byoyomi,
            periods1=periods1,
            periods2=periods2,
        )
    elif "byoyomi" in given:
        raise syntax(f"{verb}: byoyomi goes with clock")
    limits = build(Limits, **single, clock=clock, infinite="infinite" in given)
    return limits, {key: given[key] for key in given if key not in _LIMITS}


def limit_words(limits: Limits) -> list[str]:
    """The words for limits."""
    words = [
        f"{key} {value}"
        for key, value in (
            ("movetime", limits.movetime),
            ("depth", limits.depth),
            ("nodes", limits.nodes),
        )
        if value is not None
    ]
    if (clock := limits.clock) is not None:
        words.append(f"clock {clock.p1} {clock.p2} {clock.inc1} {clock.inc2}")
        if clock.byoyomi or clock.periods1 or clock.periods2:
            words.append(f"byoyomi {clock.byoyomi} {clock.periods1} {clock.periods2}")
    if limits.infinite:
        words.append("infinite")
    return words
