"""`plywire mcp`: games, the engine and the arena as tools for language models."""

import asyncio
from dataclasses import dataclass
from typing import Annotated

import typer

from .common import failing
from .options import expanded


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of the server for language models."""

    http: Annotated[
        bool,
        typer.Option("--http", help="Serve streamable HTTP instead of standard input and output."),
    ] = False
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1"
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = 7592
    origins: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORIGIN",
            help="Origin to serve, such as https://games.example.org. Repeatable.",
        ),
    ] = None
    server: Annotated[str, typer.Option(help="Server of the arena, as in `plywire bot`.")] = (
        "ws://127.0.0.1:7591"
    )
    name: Annotated[str, typer.Option(help="Name of the bot in the arena.")] = ""
    token: Annotated[
        str, typer.Option(envvar="PLYWIRE_TOKEN", help="Token that `plywire bot add` printed.")
    ] = ""
    games: Annotated[int, typer.Option(min=1, help="Most games at the same time.")] = 100
    seats: Annotated[int, typer.Option(min=1, help="Most games in the arena at the same time.")] = 8
    sessions: Annotated[int, typer.Option(min=1, help="Most sessions over HTTP.")] = 100
    movetime: Annotated[int, typer.Option(min=1, help="Longest search or review, in ms.")] = 10_000


@expanded
def main(options: Options) -> None:
    """Serve language models by the Model Context Protocol.

    Language models play games, see the board as text and as a picture, ask the engine at any level
    and have games reviewed. They can also play in an arena or a tournament. The command needs `pip
    install "plywire[mcp]"`. For the set-up, see the page "Let language models
    play" of the documentation.

    Examples:

        plywire mcp
        plywire mcp --http --port 7592
        plywire mcp --server ws://127.0.0.1:7591 --name ann --token TOKEN
    """
    with failing("mcp", ImportError, OSError):
        asyncio.run(_serve(options))


async def _serve(options: Options) -> None:
    try:  # Only this command needs the library `mcp`, so it may be missing.
        from plywire.server.mcp.model_games import ModelGames
        from plywire.server.mcp.seats import Account, Seats
        from plywire.server.mcp.tools import make_server, security
    except ModuleNotFoundError as error:
        raise ImportError(f'{error}: pip install "plywire[mcp]"') from None

    seats = Seats(options.seats)
    tools = make_server(
        ModelGames(most=options.games, movetime=options.movetime),
        seats,
        Account(options.server, options.name, options.token),
        log_level="INFO" if options.http else "WARNING",
    )
    try:
        if not options.http:
            await tools.run_stdio_async()
            return
        await tools.run_streamable_http_async(
            host=options.host,
            port=options.port,
            max_sessions=options.sessions,
            transport_security=security(options.host, options.origins or []),
        )
    finally:
        await seats.close()
