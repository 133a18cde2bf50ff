"""`plywire mcp`: games, the engine and the arena as tools for language models."""

from typing import Annotated

import typer

from .common import failing


def main(
    http: Annotated[
        bool, typer.Option("--http", help="Listen for streamable HTTP instead of using stdio.")
    ] = False,
    host: Annotated[str, typer.Option(help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 7592,
    origins: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORIGIN",
            help="Origin such as https://games.example.org, whose name and pages are served."
            " Repeatable.",
        ),
    ] = None,
    server: Annotated[
        str, typer.Option(help="Server of the arena, as in `plywire bot`.")
    ] = "ws://127.0.0.1:7591",
    name: Annotated[str, typer.Option(help="Bot that plays in the arena.")] = "",
    token: Annotated[
        str, typer.Option(envvar="PLYWIRE_TOKEN", help="What `plywire bot add` printed.")
    ] = "",
    games: Annotated[int, typer.Option(min=1, help="Games at the same time.")] = 100,
    seats: Annotated[int, typer.Option(min=1, help="Places in the arena at the same time.")] = 8,
    sessions: Annotated[int, typer.Option(min=1, help="Sessions over HTTP.")] = 100,
    movetime: Annotated[
        int, typer.Option(min=1, help="Most time of a search or a review, in ms.")
    ] = 10_000,
) -> None:
    """Serve language models by the Model Context Protocol: on standard input and output, or HTTP.

    They play games, see the board as text and as a picture, ask the engine at any level, have games
    reviewed, and play in an arena or a tournament by the rules and clocks of its referee. It needs
    `pip install "plywire[mcp]"`; the page "Language models" of the documentation says how to set it
    up.

    Examples:

        plywire mcp
        plywire mcp --http --port 7592
        plywire mcp --server ws://127.0.0.1:7591 --name ann --token TOKEN
    """
    import asyncio

    with failing("mcp", ImportError):
        try:
            from plywire.server.mcp.games import Games
            from plywire.server.mcp.seats import Seats
            from plywire.server.mcp.server import Account, make_server, security
        except ModuleNotFoundError as error:
            raise ImportError(f'{error}: pip install "plywire[mcp]"') from None

    async def serve() -> None:
        places = Seats(seats)
        tools = make_server(
            Games(most=games, movetime=movetime),
            places,
            Account(server, name, token),
            log_level="INFO" if http else "WARNING",
        )
        try:
            if http:
                await tools.run_streamable_http_async(
                    host=host,
                    port=port,
                    max_sessions=sessions,
                    transport_security=security(host, origins or []),
                )
            else:
                await tools.run_stdio_async()
        finally:
            await places.close()

    with failing("mcp", OSError):
        asyncio.run(serve())
