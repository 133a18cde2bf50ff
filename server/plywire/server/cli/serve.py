"""`plywire serve`: the server."""

import asyncio

from plywire.server import log
from plywire.server.arena.store.sqlite_file import StoreError
from plywire.server.process import serve
from plywire.server.settings import Settings

from .common import failing
from .flags import taking_settings


@taking_settings()
def main(settings: Settings) -> None:
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
    log.configure(settings.log_level)
    with failing("serve", OSError, ValueError, StoreError):
        asyncio.run(serve(settings))
