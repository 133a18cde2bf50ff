"""`plywire bridge`: a server as an engine on standard input and output."""

import asyncio
from typing import Annotated

import typer

from plywire.server import log
from plywire.server.bridge import bridge
from plywire.server.transports.stdio import StdioTransport

from .common import failing


def main(
    url: Annotated[
        str,
        typer.Argument(
            help="`tcp://HOST:PORT` or `ws://HOST:PORT`; with TLS, `tls://` or `wss://`."
        ),
    ],
) -> None:
    """Connect standard input and output to a server, such as for match managers.

    Every line goes to the server and back unchanged, in any dialect. The bridge ends when the
    program or the server closes the connection.

    Examples:

        plywire bridge tcp://127.0.0.1:7590

        cutechess-cli -engine cmd=plywire arg=bridge arg=tcp://127.0.0.1:7590 proto=uci ...
    """
    log.configure("warning")
    with failing("bridge", OSError, ValueError):
        asyncio.run(bridge(StdioTransport(), url))
