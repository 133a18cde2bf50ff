"""The `plywire` command.

Each command is one module with a `main`, or with an `app` of several; what it needs it imports when
it runs, so that `plywire --help` stays quick and never loads Numba.
"""

from importlib import import_module
from typing import Annotated, Any

import typer

#: In the order of `plywire --help`; each is a module here.
COMMANDS = (
    "serve",
    "engine",
    "bridge",
    "mcp",
    "play",
    "match",
    "check",
    "exam",
    "tournament",
    "bot",
    "ggs",
    "solve",
    "book",
    "export",
    "perft",
    "bench",
    "train",
    "warmup",
    "kernels",
    "schema",
    "games",
    "doctor",
)


class _App(typer.Typer):
    """The command, which ends quietly when nobody reads its output any more."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Run the command that the arguments name."""
        from .output import ending_quietly

        with ending_quietly():
            return super().__call__(*arguments, **options)


app = _App(
    name="plywire",
    help="Play board games over a wire: a server, an exact engine, bots and matches.",
    epilog="Start with `plywire serve`, or `plywire play connect4`.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)

for _name in COMMANDS:
    _module = import_module(f"{__name__}.{_name}")
    if hasattr(_module, "app"):
        app.add_typer(_module.app, name=_name)
    else:
        app.command(_name, **getattr(_module, "COMMAND", {}))(_module.main)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

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
