"""Files of Othello games, as the commands that learn from games are given them."""

from pathlib import Path
from typing import Annotated

import typer

GameFiles = Annotated[
    list[Path] | None,
    typer.Option(
        help="File of games, one move string such as f5d6c3 a line; .xz too. Repeatable.",
        exists=True,
        dir_okay=False,
    ),
]
