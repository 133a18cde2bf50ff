"""`plywire bench`: a fixed amount of searching, to compare speed and behaviour."""

from typing import Annotated

import typer


def main(
    game: Annotated[str | None, typer.Argument(help="Name of a game; all if left out.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON a game.")] = False,
) -> None:
    """Search a fixed set of positions: nodes, nodes a second, and a signature.

    The signature is the same on every machine; it changes exactly when the search does.
    """
    from dataclasses import asdict
    from json import dumps

    from rich.console import Console
    from rich.table import Table

    from plywire.engine import bench

    known = bench.suites()
    if game is not None and game not in known:
        raise typer.BadParameter(f"no bench for {game!r}: there is one for {', '.join(known)}")

    benches = []
    with Console(stderr=True).status("") as status:
        for name in [game] if game else known:
            status.update(f"searching {name}")
            benches.append(bench.run(name))
    if len(benches) > 1:
        benches.append(bench.total(benches))

    if json:
        for row in benches:
            typer.echo(dumps({**asdict(row), "nps": row.nps}))
        return
    table = Table("Game", box=None, pad_edge=False)
    for heading in ("Positions", "Nodes", "Seconds", "Nodes/s"):
        table.add_column(heading, justify="right")
    table.add_column("Signature")
    for row in benches:
        table.add_row(
            row.game,
            str(row.positions),
            f"{row.nodes:,}",
            f"{row.seconds:.3f}",
            f"{row.nps:,}",
            row.signature,
        )
    Console().print(table)
