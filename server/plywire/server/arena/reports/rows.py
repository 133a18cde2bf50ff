"""Rows of a report's games and opponents; f-strings, as templates take twenty times as long."""

from __future__ import annotations

from functools import lru_cache
from html import escape

from plywire.clients.play.errors import Termination
from plywire.clients.play.judging.accuracy import Accuracy
from plywire.clients.play.matches.records import GameRecord
from plywire.server.arena.tournament.standings import PlayerStanding, Results

from .formats import percent, points, shortened, signed

_RESULTS = {1: "1–0", 2: "0–1", None: "½–½"}

#: `escape` with a cache, because most names and reasons repeat.
_escaped = lru_cache(4096)(escape)


def game_row(record: GameRecord, accuracy: Accuracy | None, several: bool, link: str | None) -> str:
    """Return the row of a game; with `several` kinds of game, the row names the kind.

    `link` leads to the analysis of the game; None if no game of the report has one.
    """
    number = record.number + 1
    game = f'<td class="text quiet">{_escaped(record.game)}</td>' if several else ""
    return (
        f'<tr id="g{number}"><td class="quiet">{number}</td>'
        f'<td class="quiet">{"–" if record.round is None else record.round}</td>'
        f'{game}{_player(record, 1)}<td class="middle">{_result(record)}</td>{_player(record, 2)}'
        f'<td class="moves">{_moves(record)}</td>'
        f'<td class="text quiet">{_losing_move(record, accuracy)}</td>{_end(record)}'
        f"{_analysis(number, link)}</tr>\n"
    )


def opponent_row(
    opponent: PlayerStanding, href: str, tally: Results, superiority: float, first_game: str
) -> str:
    """Return the row of an opponent, with the chance that the player is stronger."""
    name = _escaped(opponent.player)
    return (
        f'<tr><td class="quiet">{opponent.rank}</td>'
        f'<th class="name"><a href="{href}">{name}</a></th>'
        f'<td class="won">{points(tally.points)}</td>'
        f"<td>{tally.wins}</td><td>{tally.draws}</td><td>{tally.losses}</td>"
        f"<td>{_escaped(percent(superiority))}</td>"
        f'<td><a href="{first_game}" aria-label="First game against {name}">game</a></td>'
        "</tr>\n"
    )


@lru_cache(4096)
def _name(name: str, won: bool) -> str:
    title = f' title="{escape(name)}"' if shortened(name) != name else ""
    return f'<td class="text{" won" if won else ""}"{title}>{escape(shortened(name))}</td>'


def _player(record: GameRecord, place: int) -> str:
    return _name(record.players[place - 1], record.winner == place)


def _result(record: GameRecord) -> str:
    result = "–" if record.termination is Termination.ABORT else _RESULTS[record.winner]
    discs = f' <span class="quiet">{signed(record.score)}</span>' if abs(record.score) > 1 else ""
    return result + discs


def _moves(record: GameRecord) -> str:
    opening = " ".join(record.moves[: record.opening])
    moves = escape(" ".join(record.moves[record.opening :]))
    if opening:
        moves = f'<span title="Opening">{escape(opening)}</span> {moves}'
    return f"<details><summary>{len(record.moves)}</summary>{moves}</details>"


def _losing_move(record: GameRecord, accuracy: Accuracy | None) -> str:
    if accuracy is None or accuracy.losing_move is None:
        return ""
    return f"{accuracy.losing_move + 1}: {escape(record.moves[accuracy.losing_move])}"


def _analysis(number: int, link: str | None) -> str:
    if not link:
        return "" if link is None else "<td></td>"
    return f'<td><a href="{escape(link)}" aria-label="Analyse game {number}">analyse</a></td>'


def _end(record: GameRecord) -> str:
    """Return the cell of how a game ended, with the last lines of a program that failed."""
    reason = _escaped(record.reason)
    if record.last_lines or record.warnings:
        lines = escape("\n".join((*record.last_lines, *record.warnings)))
        reason = f"<details><summary>{reason}</summary><pre>{lines}</pre></details>"
    fault = " fault" if record.termination.is_failure else ""
    return f'<td class="text wide{fault}">{reason}</td>'
