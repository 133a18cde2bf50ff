"""Scores and search reports as UGI and UCI write them.

| ours            | theirs                                                                |
|-----------------|-----------------------------------------------------------------------|
| `cp N`          | `cp N`                                                                |
| `win N` plies   | `mate M`, M = N/2 rounded up: the winner's moves                      |
| `loss N` plies  | `mate -M`, M = N/2 rounded up: the same; `mate 0` when lost already    |
| `draw`          | `cp 0`                                                                |
| `exact D` discs | `cp 100*D`                                                            |
"""

from collections.abc import Sequence
from itertools import pairwise

from plywire.protocol.messages.play import Info, Score
from plywire.protocol.numbers import read_decimal

#: The keywords, except `score`, that are followed by one number.
_COUNTS = ("depth", "multipv", "nodes", "nps", "hashfull", "time")


def write_score(score: Score) -> str:
    """Return the words after `score`."""
    match score.kind:
        case "win":
            return f"mate {(score.value + 1) // 2}"
        case "loss":
            return f"mate {-((score.value + 1) // 2)}"
        case "exact":
            return f"cp {100 * score.value}"
        case "cp" | "draw":
            return f"cp {score.value}"


def write_info(event: Info, moves: Sequence[str]) -> str:
    """Return the line of a report; `moves` are those of the principal variation."""
    pv = f" pv {' '.join(moves)}" if moves else ""
    return (
        f"info depth {event.depth} multipv {event.multipv} score {write_score(event.score)}"
        f" nodes {event.nodes} nps {event.nps} hashfull {event.hashfull} time {event.time}{pv}"
    )


def read_score(kind: str, number: str) -> Score | None:
    """Return the score in the words after `score`; None if there is none."""
    if (found := read_decimal(number)) is None:
        return None
    value = round(found)
    match kind:
        case "cp":
            return Score(kind="cp", value=value)
        case "mate" if value > 0:
            return Score(kind="win", value=2 * value - 1)
        case "mate":
            return Score(kind="loss", value=-2 * value)
        case _:
            return None


def read_info(rest: Sequence[str]) -> tuple[Info, list[str]] | None:
    """Return the report in the words after `info`, and its moves; None without depth and score."""
    place = rest.index("pv") if "pv" in rest else len(rest)
    before, moves = rest[:place], list(rest[place + 1 :])
    if "string" in before or "score" not in before:
        return None
    counts = {
        key: round(number)
        for key, word in pairwise(before)
        if key in _COUNTS and (number := read_decimal(word)) is not None
    }
    score = read_score(*_after(before, "score"))
    if score is None or "depth" not in counts:
        return None
    lowest = dict.fromkeys(_COUNTS, 0) | {"multipv": 1}
    fields = {key: max(counts.get(key, 0), least) for key, least in lowest.items()}
    fields["hashfull"] = min(fields["hashfull"], 1000)
    return Info(score=score, **fields), moves


def _after(rest: Sequence[str], keyword: str) -> tuple[str, str]:
    place = rest.index(keyword)
    kind, number, *_ = (*rest[place + 1 : place + 3], "", "")
    return kind, number
