"""`plywire mcp`: games, the engine and the arena as tools for language models."""

from typing import Annotated

import typer

from .common import failing


def main(
    http: Annotated[
        bool,
        typer.Option("--http", help="Serve streamable HTTP instead of standard input and output."),
    ] = False,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = 7592,
    origins: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORIGIN",
            help="Origin to serve, such as https://games.example.org. Repeatable.",
        ),
    ] = None,
    server: Annotated[
        str, typer.Option(help="Server of the arena, as in `plywire bot`.")
    ] = "ws://127.0.0.1:7591",
    name: Annotated[str, typer.Option(help="Name of the bot in the arena.")] = "",
    token: Annotated[
        str, typer.Option(envvar="PLYWIRE_TOKEN", help="Token that `plywire bot add` printed.")
    ] = "",
    games: Annotated[int, typer.Option(min=1, help="Most games at the same time.")] = 100,
    seats: Annotated[
        int, typer.Option(min=1, help="Most games in the arena at the same time.")
    ] = 8,
    sessions: Annotated[int, typer.Option(min=1, help="Most sessions over HTTP.")] = 100,
    movetime: Annotated[int, typer.Option(min=1, help="Longest search or review, in ms.")] = 10_000,
) -> None:
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
    import asyncio

    with failing("mcp", ImportError):
        try:
            from plywire.server.mcp.model_games import Games
            from plywire.server.mcp.seats import Seats
            from plywire.server.mcp.tools import Account, make_server, security
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
