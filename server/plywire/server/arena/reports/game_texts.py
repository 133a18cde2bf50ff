"""Games as text for other programs: PGN, and GGF for Othello.

PGN follows the "Portable Game Notation Specification and Implementation Guide" (1994), with each
game's own move names. White is the first player. `plywire.protocol.ggf` explains GGF.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, repeat, zip_longest

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.matches.referee import TimeControl
from plywire.engine.registry import load
from plywire.protocol.ggf import GgfGame, GgfMove, GgfTime, write_ggf
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Score, Searched

#: The value of PGN's tag `Termination` for each way in which a game can end.
_PGN_TERMINATIONS = {
    Termination.NORMAL: "normal",
    Termination.RESIGNATION: "normal",
    Termination.ADJUDICATION: "adjudication",
    Termination.ILLEGAL_MOVE: "rules infraction",
    Termination.GARBAGE: "rules infraction",
    Termination.TIME: "time forfeit",
    Termination.STALL: "time forfeit",
}

#: GGF's marks of games that did not end on the board. `:t` means that the loser ran out of time,
#: and `:r` that the loser resigned or left.
_GGF_FLAGS = {Termination.TIME: ":t", Termination.STALL: ":t"}
_GGF_LEFT = ":r"


@dataclass(frozen=True, slots=True)
class EventInfo:
    """Facts about the event that the formats need."""

    name: str
    site: str = "?"
    """The place, for example the server's address."""
    control: TimeControl | None = None

    def limits(self, names: tuple[str, str]) -> tuple[Limits | None, Limits | None]:
        return (None, None) if self.control is None else self.control.of(names)


def pgn(record: GameRecord, event: EventInfo) -> str:
    """Return a game as PGN, with a comment after each move after the opening.

    The comment is `{+0.35/12 0.104s, n=2048 [%clk 0:00:09.996] [%emt 0:00:00.104]}`. Its first part
    is for match managers: score of the player who moved, depth, time and nodes. The rest is for
    GUIs: remaining clock and time. `+M7/12` wins in 7 plies. Without a score, only times remain.
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
        **_pgn_time_controls(event.limits(record.players)),
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
    for ply, (move, time, clock, searched) in enumerate(_annotated_moves(record)):
        if ply % 2 == 0:
            yield f"{ply // 2 + 1}."
        yield move
        if time is not None:
            told = [f"[%emt {_pgn_time(time)}]"]
            if clock is not None:
                told.insert(0, f"[%clk {_pgn_time(clock)}]")
            if searched is not None and searched.score is not None:
                depth, nodes = searched.depth or 0, searched.nodes
                counted = "" if nodes is None else f", n={nodes}"
                told.insert(0, f"{score_text(searched.score)}/{depth} {time / 1000:.3f}s{counted}")
            yield "{" + " ".join(told) + "}"


def score_text(score: Score) -> str:
    """Return a score in pawns or discs, such as `+0.35`, or plies to the end, such as `-M8`."""
    if score.kind in ("win", "loss"):
        return f"{'+' if score.kind == 'win' else '-'}M{score.value or ''}"
    return f"{_units(score):+.2f}"


def _units(score: Score) -> float:
    """Return a score in pawns or discs; the kinds `win` and `loss` are not accepted."""
    return score.value / 100 if score.kind == "cp" else float(score.value)


def _pgn_time(ms: int) -> str:
    seconds, ms = divmod(ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}.{ms:03}"


def _pgn_time_controls(limits: tuple[Limits | None, Limits | None]) -> dict[str, str]:
    white, black = (_pgn_time_control(each, player) for player, each in enumerate(limits, 1))
    if white == black:
        return {"TimeControl": white}
    return {"WhiteTimeControl": white, "BlackTimeControl": black}


def _pgn_time_control(limits: Limits | None, player: int) -> str:
    """Return limits: `10+0.1` or `60+3x30` for clocks, `1/0.1` for a move, `-` for none."""
    if limits is None:
        return "?"
    if (clock := limits.clock) is not None:
        time, gain, periods = (
            getattr(clock, f"{part}{player}") for part in ("p", "inc", "periods")
        )
        increment = f"+{gain / 1000:g}" if gain else ""
        byoyomi = f"+{periods}x{clock.byoyomi / 1000:g}" if periods else ""
        return f"{time / 1000:g}{increment}{byoyomi}"
    return "-" if limits.movetime is None else f"1/{limits.movetime / 1000:g}"


def _pgn_text(value: str) -> str:
    return _printable(value).replace("\\", "\\\\").replace('"', '\\"')


def ggf(record: GameRecord, event: EventInfo) -> str:
    """Return a game of Othello as one line of GGF; raises ValueError for another game."""
    if record.game != "othello":
        raise ValueError(f"GGF is written for othello, not for {record.game}")
    black, white = event.limits(record.players)
    game = GgfGame(
        moves=tuple(
            GgfMove(name, eval=_discs(searched), time=time)
            for name, time, _, searched in _annotated_moves(record)
        ),
        fen=record.fen,
        black=record.players[0],
        white=record.players[1],
        place=event.name,
        date="" if record.started is None else f"{record.started:%Y.%m.%d_%H:%M:%S.%Z}",
        result=_ggf_result(record),
        times=(_ggf_time(black, 1), _ggf_time(white, 2)),
    )
    return write_ggf(game)


def _ggf_result(record: GameRecord) -> str:
    """Return Black's lead in discs: 64 if White resigned or failed, -64 if Black did."""
    if record.termination is Termination.ABORT:
        return "?"
    if record.termination in (Termination.NORMAL, Termination.ADJUDICATION):
        return f"{record.score:+.3f}"
    return f"{64 * record.score:+.3f}{_GGF_FLAGS.get(record.termination, _GGF_LEFT)}"


def _ggf_time(limits: Limits | None, player: int) -> GgfTime | None:
    if limits is None or limits.clock is None:
        return None
    clock = limits.clock.without_byoyomi
    return GgfTime(*((clock.p1, clock.inc1) if player == 1 else (clock.p2, clock.inc2)))


def _discs(searched: Searched | None) -> float | None:
    if searched is None or searched.score is None or searched.score.kind in ("win", "loss"):
        return None
    return _units(searched.score)


def _annotated_moves(
    record: GameRecord,
) -> Iterator[tuple[str, int | None, int | None, Searched | None]]:
    """Yield each move with its time and clock in ms and its search; None where unknown."""
    notes = zip_longest(record.times, record.clocks, record.searches)
    blank = repeat((None, None, None), record.opening)
    for name, note in zip(record.moves, chain(blank, notes), strict=False):
        yield name, *note


def _printable(value: str) -> str:
    return "".join(character if character.isprintable() else " " for character in value)
