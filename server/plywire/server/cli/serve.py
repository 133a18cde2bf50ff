"""`plywire serve`: the server."""

import gc
from typing import TYPE_CHECKING

import typer

from .common import failing
from .flags import UNPARSED, run_with_settings

if TYPE_CHECKING:
    from plywire.server.settings import Settings

COMMAND = UNPARSED


def main(context: typer.Context) -> None:
    """Serve games on TCP and WebSocket."""
    # Loading leaves no garbage, and looking for some takes a fifth of the time until the server
    # listens. `serve` enables the collector again.
    gc.disable()
    run_with_settings(context, _serve)


def _serve(settings: "Settings") -> None:
    """Serve games on TCP and WebSocket, each peer in the dialect of its first line.

    Every setting is a flag, an environment variable (`PLYWIRE_PORT=7000`) or a key of a TOML file
    (`port = 7000`); the first that is given counts. SIGTERM and Ctrl-C drain: running searches
    answer, then the server exits.

    Examples:

        plywire serve

        plywire serve --host 0.0.0.0 --threads 8 --max-hash 256

        plywire serve --config plywire.toml
    """
    import asyncio

    from plywire.server import log
    from plywire.server.arena.store.sqlite_file import StoreError
    from plywire.server.serve import serve

    log.configure(settings.log_level)
    with failing("serve", OSError, ValueError, StoreError):
        asyncio.run(serve(settings))
