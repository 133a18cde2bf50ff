"""Nodes that the Connect Four solver visits, by how many stones are on the board, as a plot.

    python benchmarks/connect4_nodes.py docs/images/connect4-nodes.svg

The positions are made by random play and solved one by one, each on an empty table. The counts are
the same on every machine.
"""

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, cast
from xml.sax.saxutils import escape

import typer
from connect4_positions import random_positions
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from plywire.engine.connect4.rules import Connect4Position
from plywire.engine.connect4.solver.solver import Solver
from plywire.server.cli.common import screen

LAST_PLY = 38
SEED = 1

# In the units of the view box.
WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 44, 52

STYLE = """
    text { font: 13px system-ui, sans-serif; fill: #57606a }
    .title { font-size: 15px; font-weight: 600; fill: #1f2328 }
    .grid { stroke: #d0d7de; stroke-width: 1 }
    .band { fill: #0969da; opacity: .12 }
    .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round }
    .mean { stroke: #bc4c00 } .median { stroke: #0969da }
    text.mean { fill: #bc4c00; stroke: none } text.median { fill: #0969da; stroke: none }
    @media (prefers-color-scheme: dark) {
      text { fill: #9198a1 } .title { fill: #f0f6fc } .grid { stroke: #3d444d }
      .band { fill: #4493f8 } .mean { stroke: #f0883e } .median { stroke: #4493f8 }
      text.mean { fill: #f0883e } text.median { fill: #4493f8 }
    }
"""


@dataclass(frozen=True, slots=True)
class Row:
    """What the positions of one ply took, in nodes."""

    ply: int
    positions: int
    mean: float
    median: float
    low: float
    """One position in ten takes fewer."""
    high: float
    """One position in ten takes more."""


def _measure(solver: Solver, ply: int, count: int, most_nodes: int) -> Row:
    """Solve that many positions, or as many as take that many nodes, but ten at least."""
    found: list[int] = []
    for moves in random_positions(ply, SEED):
        position = [solver.game.start(), *solver.game.start().play_names(moves)][-1]
        solver.clear()
        before = solver.nodes
        solver.bounds(cast(Connect4Position, position))
        found.append(solver.nodes - before)
        if len(found) >= count or (len(found) >= 10 and sum(found) >= most_nodes):
            break
    tenths = statistics.quantiles(found, n=10, method="inclusive")
    mean, median = statistics.fmean(found), statistics.median(found)
    return Row(ply, len(found), mean, median, tenths[0], tenths[-1])


def _short(number: int) -> str:
    """A power of ten as people write it."""
    for size, letter in ((1_000_000, " M"), (1_000, " k")):
        if number >= size:
            return f"{number // size}{letter}"
    return str(number)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def draw(rows: Sequence[Row]) -> str:
    """An SVG of nodes, on a logarithmic scale, by stones on the board."""
    decades = len(f"{max(row.high for row in rows):.0f}")
    first, last = rows[0].ply, rows[-1].ply

    def x_at(ply: float) -> float:
        return LEFT + (ply - first) / (last - first) * (WIDTH - LEFT - RIGHT)

    def y_at(nodes: float) -> float:
        # Fewer than one node, which forced moves alone can decide, are drawn as one.
        height = HEIGHT - TOP - BOTTOM
        return HEIGHT - BOTTOM - math.log10(max(nodes, 1)) / decades * height

    def line(value: Callable[[Row], float]) -> list[tuple[float, float]]:
        return [(x_at(row.ply), y_at(value(row))) for row in rows]

    title = "Nodes to solve a position"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        f'<text class="title" x="{LEFT}" y="22">{escape(title)}</text>',
    ]
    for decade in range(decades + 1):
        y = y_at(10**decade)
        label = _short(10**decade)
        parts.append(f'<path class="grid" d="M{LEFT} {y:.1f} H{WIDTH - RIGHT}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    for ply in range(first + -first % 4, last + 1, 4):
        at = f'x="{x_at(ply):.1f}" y="{HEIGHT - BOTTOM + 20}"'
        parts.append(f'<text {at} text-anchor="middle">{ply}</text>')
    middle = (x_at(first) + x_at(last)) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">stones</text>')

    band = line(lambda row: row.high) + line(lambda row: row.low)[::-1]
    parts.append(f'<path class="band" d="{_path(band)} Z"/>')
    for name, points in (
        ("median", line(lambda row: row.median)),
        ("mean", line(lambda row: row.mean)),
    ):
        parts.append(f'<path class="line {name}" d="{_path(points)}"/>')
    legend = WIDTH - RIGHT - 280
    for class_, name, x in (
        ("mean", "mean", legend),
        ("median", "median", legend + 56),
        ("", "eight of ten (shaded)", legend + 120),
    ):
        parts.append(f'<text class="{class_}" x="{x}" y="22">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main(
    svg: Annotated[Path, typer.Argument(help="The file to draw into.", dir_okay=False)],
    count: Annotated[int, typer.Option(help="Positions of each ply.", min=10)] = 100,
    most_nodes: Annotated[
        int, typer.Option("--nodes", help="Nodes after which ten positions of a ply will do.")
    ] = 10_000_000,
    first: Annotated[int, typer.Option(help="The first ply.", min=1, max=LAST_PLY - 1)] = 6,
) -> None:
    """Solve positions made by random play; draw the nodes by ply and print the means."""
    solver = Solver()
    rows = [
        _measure(solver, ply, count, most_nodes)
        for ply in track(range(first, LAST_PLY + 1), "solving", console=Console(stderr=True))
    ]
    svg.write_text(draw(rows))
    table = Table("stones", "positions", "mean nodes", "median", box=box.MARKDOWN)
    for row in rows:
        table.add_row(str(row.ply), str(row.positions), f"{row.mean:,.1f}", f"{row.median:,.1f}")
    screen().print(table)


if __name__ == "__main__":
    typer.run(main)
