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
    """Serve games, the page and the arena on TCP and WebSocket."""
    # Loading leaves no garbage, and looking for some takes a fifth of the time until the server
    # listens. `serve` enables the collector again.
    gc.disable()
    run_with_settings(context, _serve)


def _serve(settings: "Settings") -> None:
    """Serve games, the page and the arena on TCP and WebSocket.

    The first line of a client selects its dialect. Every setting is a flag, an environment variable
    (`PLYWIRE_PORT=7000`) or a key of a TOML file (`port = 7000`). A flag counts before a variable,
    and a variable before the file. After SIGTERM or Ctrl-C, running searches answer, then the
    server exits.

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
