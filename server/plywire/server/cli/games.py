"""`plywire games`: the installed games."""

from rich.table import Table

from plywire.engine import registry

from .common import screen


def main() -> None:
    """List the installed games with their players and board sizes."""
    table = Table("Name", "Game", "Players", "Usual size", "Sizes", box=None, pad_edge=False)
    for known in map(registry.load, registry.names()):
        table.add_row(known.name, known.title, " - ".join(known.players), known.size, known.sizes)
    screen().print(table)
