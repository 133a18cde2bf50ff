"""Games as other programs read them: JSON lines, PGN, and GGF for Othello.

JSON lines hold everything. PGN follows the export format of the "Portable Game Notation
Specification and Implementation Guide" (1994) with the games' own move names; White is the first
player, whatever its pieces are called. GGF is in `plywire.protocol.ggf`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, repeat

from plywire.clients.errors import Termination
from plywire.clients.matches.records import GameRecord
from plywire.engine.registry import load
from plywire.protocol.ggf import GgfGame, GgfMove, GgfTime, write_ggf
from plywire.protocol.messages.limits import Clock, Limits

#: PGN's words for how a game ended; the reason says it in full.
_PGN_TERMINATIONS = {
    Termination.NORMAL: "normal",
    Termination.RESIGNATION: "normal",
    Termination.ADJUDICATION: "adjudication",
    Termination.ILLEGAL_MOVE: "rules infraction",
    Termination.GARBAGE: "rules infraction",
    Termination.TIME: "time forfeit",
    Termination.STALL: "time forfeit",
}

#: What GGF adds to a result that was not played out: the loser's time, or the loser's leaving.
_GGF_FLAGS = {Termination.TIME: ":t", Termination.STALL: ":t"}
_GGF_LEFT = ":r"


class ExportFormat(StrEnum):
    """What games can be written as."""

    JSONL = "jsonl"
    """A JSON object a line, as `plywire.clients.matches.records.GameRecord` reads it."""
    PGN = "pgn"
    """Tags and moves, any game."""
    GGF = "ggf"
    """A game a line, Othello only."""


@dataclass(frozen=True, slots=True)
class EventInfo:
    """What formats tell of the event beside the games."""

    name: str
    """Such as `Autumn cup`."""
    site: str = "?"
    """Where it took place, such as the server's address."""
    limits: Limits | None = None
    """How long players could think, None if that is not known."""


def export(records: Iterable[GameRecord], form: ExportFormat, event: EventInfo) -> Iterator[str]:
    """Each game as text that ends with a line break; as GGF, the games of Othello alone."""
    for record in records:
        if form is ExportFormat.JSONL:
            yield record.model_dump_json() + "\n"
        elif form is ExportFormat.PGN:
            yield pgn(record, event) + "\n"
        elif record.game == "othello":
            yield ggf(record, event) + "\n"


def pgn(record: GameRecord, event: EventInfo) -> str:
    """A game as PGN, with the time of each move as the comment `[%emt h:mm:ss.mmm]`.

    Moves of the opening have no time.
    """
    start = load(record.game, record.size).start()
    result = {1: "1-0", 2: "0-1", None: "1/2-1/2"}[record.winner]
    if record.termination is Termination.ABORT:
        result = "*"
    tags = {
        "Event": event.name,
        "Site": event.site,
        "Date": "????.??.??" if record.started is None else f"{record.started:%Y.%m.%d}",
        "Round": "-" if record.round is None else str(record.round),
        "White": record.players[0],
        "Black": record.players[1],
        "Result": result,
        "Variant": record.game,
        "Size": record.size,
        "TimeControl": _pgn_time_control(event.limits),
        "Termination": _PGN_TERMINATIONS.get(record.termination, "abandoned"),
        "Reason": record.reason,
        "PlyCount": str(len(record.moves)),
    }
    if record.started is not None:
        tags["Time"] = f"{record.started:%H:%M:%S}"
    if record.fen != start.fen():
        tags |= {"SetUp": "1", "FEN": record.fen}
    head = [f'[{name} "{_pgn_text(value)}"]' for name, value in tags.items()]
    moves = textwrap.wrap(" ".join([*_pgn_moves(record), result]), 79, break_on_hyphens=False)
    return "\n".join([*head, "", *moves, ""])


def _pgn_moves(record: GameRecord) -> Iterator[str]:
    """Move numbers, moves and their times."""
    for ply, (move, time) in enumerate(_timed_moves(record)):
        if ply % 2 == 0:
            yield f"{ply // 2 + 1}."
        yield move
        if time is not None:
            seconds, ms = divmod(time, 1000)
            minutes, seconds = divmod(seconds, 60)
            yield f"{{[%emt {minutes // 60}:{minutes % 60:02}:{seconds:02}.{ms:03}]}}"


def _pgn_time_control(limits: Limits | None) -> str:
    """The tag's value: `10+0.1` for clocks, `1/0.1` for a time a move, `-` for none.

    The standard has no byo-yomi; `60+3x30` is how our command line writes it.
    """
    if limits is None:
        return "?"
    if limits.clock is not None:
        clock = limits.clock
        increment = f"+{clock.inc1 / 1000:g}" if clock.inc1 else ""
        byoyomi = f"+{clock.periods1}x{clock.byoyomi / 1000:g}" if clock.periods1 else ""
        return f"{clock.p1 / 1000:g}{increment}{byoyomi}"
    return "-" if limits.movetime is None else f"1/{limits.movetime / 1000:g}"


def _pgn_text(value: str) -> str:
    """A tag's value: printable, on one line, quotes and backslashes escaped."""
    return _printable(value).replace("\\", "\\\\").replace('"', '\\"')


def ggf(record: GameRecord, event: EventInfo) -> str:
    """A game of Othello as GGF, on one line; raises ValueError for another game."""
    if record.game != "othello":
        raise ValueError(f"GGF is written for othello, not for {record.game}")
    clock = None if event.limits is None else event.limits.clock
    game = GgfGame(
        moves=tuple(GgfMove(name, time=time) for name, time in _timed_moves(record)),
        fen=record.fen,
        black=record.players[0],
        white=record.players[1],
        place=event.name,
        date="" if record.started is None else f"{record.started:%Y.%m.%d_%H:%M:%S.%Z}",
        result=_ggf_result(record),
        times=(None, None) if clock is None else _ggf_times(clock),
    )
    return write_ggf(game)


def _ggf_result(record: GameRecord) -> str:
    """Discs of lead for Black; all 64 if White gave up or failed, and the other way round."""
    if record.termination is Termination.ABORT:
        return "?"
    if record.termination in (Termination.NORMAL, Termination.ADJUDICATION):
        return f"{record.score:+.3f}"
    return f"{64 * record.score:+.3f}{_GGF_FLAGS.get(record.termination, _GGF_LEFT)}"


def _ggf_times(clock: Clock) -> tuple[GgfTime, GgfTime]:
    clock = clock.without_byoyomi
    return GgfTime(clock.p1, clock.inc1), GgfTime(clock.p2, clock.inc2)


def _timed_moves(record: GameRecord) -> Iterator[tuple[str, int | None]]:
    """The moves with the time each took in ms, None for those of the opening."""
    return zip(record.moves, chain(repeat(None, record.opening), record.times), strict=False)


def _printable(value: str) -> str:
    """Text without line breaks or other characters that are not for the eye."""
    return "".join(character if character.isprintable() else " " for character in value)
