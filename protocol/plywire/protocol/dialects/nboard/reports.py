"""Scores and reports of NBoard, for both sides.

A report is `search PV EVAL 0 DEPTH`, or `book PV EVAL GAMES DEPTH`. EVAL is in discs, for the
player to move. The depth `100%` marks an exact score. The depth `100%W` marks a proven win, draw or
loss, which the sign of EVAL tells apart.

| ours            | EVAL       | DEPTH         |
|-----------------|------------|---------------|
| `cp N`          | N / 100    | the iteration |
| `exact D` discs | D          | `100%`        |
| `win`, `loss`   | 1, -1      | `100%W`       |
| `draw`          | 0          | `100%W`       |
"""

import re

from plywire.protocol import ggf
from plywire.protocol.dialects.parsing import Words
from plywire.protocol.messages.fields import MAX_INTEGER
from plywire.protocol.messages.play import Info, Score
from plywire.protocol.numbers import read_decimal

GAME = "othello"

EXACT = "100%"
PROVEN = "100%W"

_SIGNS = {"win": 1, "draw": 0, "loss": -1}
_PV_MOVE = re.compile(r"[-]*(pa|[a-h][1-8])", re.IGNORECASE)
_DEPTH = re.compile(r"[0-9]{1,9}")


def write_eval(score: Score) -> str:
    """Return the evaluation in discs."""
    match score.kind:
        case "cp":
            return f"{score.value / 100:.2f}"
        case "exact":
            return f"{score.value:.2f}"
        case proven:
            return f"{_SIGNS[proven]:.2f}"


def write_report(info: Info) -> list[str]:
    """Return the lines of a report: the principal variation, then nodes and time."""
    lines = []
    if info.pv:
        depth = {"cp": str(info.depth), "exact": EXACT}.get(info.score.kind, PROVEN)
        pv = "".join(map(ggf.square, info.pv))
        lines.append(f"search {pv} {write_eval(info.score)} 0 {depth}")
    return [*lines, f"nodestats {info.nodes} {info.time / 1000:.2f}"]


def read_report(rest: Words, nodes: int, time: int) -> Info | None:
    """Return the report in the words after `search` or `book`, None if there is none."""
    if len(rest) < 4:
        return None
    pv, evaluation, _, depth = rest[:4]
    moves = _read_pv(pv)
    discs = read_discs(evaluation.partition(",")[0])
    found = _DEPTH.match(depth)
    if not moves or discs is None or not found:
        return None
    if depth == PROVEN:
        score = Score(kind="draw") if discs == 0 else Score(kind="win" if discs > 0 else "loss")
    elif depth == EXACT:
        score = Score(kind="exact", value=round(discs))
    else:
        score = Score(kind="cp", value=round(100 * discs))
    return Info(
        depth=int(found[0]),
        score=score,
        nodes=nodes,
        time=time,
        nps=min(nodes * 1000 // max(time, 1), MAX_INTEGER),
        pv=moves,
        squares=tuple("-" if name == "pass" else name for name in moves),
    )


def read_discs(text: str) -> float | None:
    """Return the number in a text, None if there is none or it exceeds 10,000 discs."""
    number = read_decimal(text)
    return number if number is not None and abs(number) <= 10_000 else None


def _read_pv(text: str) -> tuple[str, ...]:
    """Read moves such as `F5d6C3` or `F5-D6-C3`, up to the first that is unreadable."""
    moves: list[str] = []
    place = 0
    while (found := _PV_MOVE.match(text, place)) and len(moves) < 64:
        moves.append(ggf.read_move(found[1]).name)
        place = found.end()
    return tuple(moves)
