"""`plywire engine`: the engine on the standard input and output."""

from typing import TYPE_CHECKING

import typer

from .common import failing
from .flags import UNPARSED, run_with_settings

if TYPE_CHECKING:
    from plywire.server.settings import Settings

COMMAND = UNPARSED

#: The settings that matter for a single client on a pipe.
FIELDS = (
    *("game", "book", "threads", "hash", "max_hash", "max_think_time", "max_line", "log_level"),
)


def main(context: typer.Context) -> None:
    """Run as an engine on standard input and output, in any dialect."""
    run_with_settings(context, _engine, FIELDS)


def _engine(settings: "Settings") -> None:
    """Run as an engine on standard input and output, in any dialect.

    Match managers and GUIs start this command. The first line selects the dialect: `ugi`, `uci`,
    `nboard 2`, a command of GTP, a native command such as `hello 1`, or JSON.

    Examples:

        plywire engine

        plywire engine --game othello --threads 4 --max-hash 1024

        plywire engine --book learnt.npz
    """
    import asyncio

    from plywire.server import log
    from plywire.server.serve_stdio import serve_stdio

    log.configure(settings.log_level)
    with failing("engine", OSError, ValueError):
        asyncio.run(serve_stdio(settings))
