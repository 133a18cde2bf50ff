"""The `plywire` command.

Each command is a module with a `main`, or with an `app` of several commands. The module is imported
when the command is called.
"""

import gc
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from .output import ending_quietly

#: The commands in the order of `plywire --help`. Each has the first line of its help.
GROUPS = {
    "Play": {
        "play": "Play against the engine in the terminal, with hints and undo.",
        "match": "Play many games between two players and estimate their difference in Elo.",
        "tournament": "Run tournaments that survive `kill -9`, and report on them.",
        "bot": "Play in a server's arena with any engine or class.",
        "ggs": "Play Othello on GGS, the Generic Game Server, with any player.",
    },
    "Host": {
        "serve": "Serve games, the page and the arena on TCP and WebSocket.",
        "page": "Write the page as a static site that needs no server.",
        "engine": "Run as an engine on standard input and output, in any dialect.",
        "bridge": "Connect standard input and output to a server, such as for match managers.",
        "mcp": "Serve language models by the Model Context Protocol.",
        "arena": "Look after the folder of an arena.",
        "warmup": "Prepare the engine for this machine; once is enough.",
        "doctor": "Check this machine: versions, folders, ports, browser and broker.",
    },
    "Develop": {
        "check": "Check that an engine can play matches: protocol, rules and time.",
        "export": "Write players as single files for Kaggle, Botzone and CodinGame.",
        "kernels": "Build the kernels of a game into its package, so that users need no Numba.",
        "schema": "Print the JSON Schema of the messages of the JSON dialect.",
        "games": "List the installed games with their players and board sizes.",
    },
    "Measure": {
        "exam": "Examine a player: positions with proven values, and games against engine levels.",
        "solve": "Solve positions from a file or the standard input, in any notation.",
        "perft": "Count the leaves of the game tree at a depth.",
        "bench": "Search a fixed set of positions and print nodes, speed and a signature.",
    },
}
COMMANDS = [name for commands in GROUPS.values() for name in commands]


@cache
def load_command(name: str) -> Any:
    """Import the module of a command, and return the whole command."""
    module = import_module(f"{__name__}.{name}")
    if hasattr(module, "app"):
        group = typer.main.get_group(module.app)
        group.name = name
        return group
    single = typer.Typer(add_completion=False, rich_markup_mode=app.rich_markup_mode)
    single.command(name)(module.main)
    return typer.main.get_command(single)


class _Group(TyperGroup):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for panel, commands in GROUPS.items():
            for name, summary in commands.items():
                self.add_command(TyperCommand(name, help=summary, rich_help_panel=panel))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, listed, rest = super().resolve_command(ctx, args)
        return name, listed and load_command(listed.name), rest


class _App(typer.Typer):
    def __call__(self, *arguments: Any, **options: Any) -> Any:
        # A start creates 100,000 objects. With the usual threshold, collecting garbage takes a
        # tenth of its time.
        gc.set_threshold(100_000)
        with ending_quietly():
            return super().__call__(*arguments, **options)


app = _App(
    name="plywire",
    cls=_Group,
    help="Play board games over a wire: server, engine, bots, matches and tournaments.",
    epilog="Start with `plywire serve`, or `plywire play connect4`.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # slow to import

        typer.echo(f"plywire {version('plywire')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Options of `plywire` itself."""
