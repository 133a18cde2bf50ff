"""`plywire engine`: the engine on standard input and output."""

import asyncio

from plywire.server import log
from plywire.server.serve_stdio import serve_stdio
from plywire.server.settings import Settings

from .common import failing
from .flags import taking_settings

#: The settings that apply to a single client on a pipe.
_FIELDS = (
    *("game", "book", "threads", "hash", "max_hash", "max_think_time", "max_line", "log_level"),
)


@taking_settings(_FIELDS)
def main(settings: Settings) -> None:
    """Run as an engine on standard input and output, in any dialect.

    Match managers and GUIs start this command. The first line selects the dialect: `ugi`, `uci`,
    `nboard 2`, a command of GTP, a native command such as `hello 1`, or JSON.

    Examples:

        plywire engine

        plywire engine --game othello --threads 4 --max-hash 1024

        plywire engine --book learnt.npz
    """
    log.configure(settings.log_level)
    with failing("engine", OSError, ValueError):
        asyncio.run(serve_stdio(settings))
