"""The `plywire` command.

Each command is a module with a `main`, or with an `app` of several commands. It is imported when it
is called or listed, and imports what it needs when it runs.
"""

import gc
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

#: The commands by the groups of `plywire --help`, in its order; each is a module here.
GROUPS = {
    "Play": ("play", "match", "tournament", "bot", "ggs"),
    "Host": ("serve", "engine", "bridge", "mcp", "arena", "warmup", "doctor"),
    "Develop": ("check", "export", "kernels", "schema", "games"),
    "Measure": ("exam", "solve", "perft", "bench"),
}
COMMANDS = {name: group for group, names in GROUPS.items() for name in names}


@cache
def _command(name: str) -> Any:
    module = import_module(f"{__name__}.{name}")
    if hasattr(module, "app"):
        group = typer.main.get_group(module.app)
        group.name = name
        group.rich_help_panel = COMMANDS[name]
        return group
    single = typer.Typer(add_completion=False, rich_markup_mode=app.rich_markup_mode)
    options = getattr(module, "COMMAND", {})
    single.command(name, rich_help_panel=COMMANDS[name], **options)(module.main)
    return typer.main.get_command(single)


class _Commands(Mapping[str, Any]):
    """The commands by their names, each imported when somebody asks for it."""

    def __getitem__(self, name: str) -> Any:
        """Import the command, or raise KeyError."""
        if name not in COMMANDS:
            raise KeyError(name)
        return _command(name)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names in the order of `plywire --help`."""
        return iter(COMMANDS)

    def __len__(self) -> int:
        """Count the commands."""
        return len(COMMANDS)


class _Group(TyperGroup):
    """All commands, of which only the one that is called is imported."""

    def __init__(self, **options: Any) -> None:
        """Take the options of Typer's own group."""
        super().__init__(**options)
        self.commands = _Commands()  # type: ignore[assignment]  # It is only read.


class _App(typer.Typer):
    """The command, which ends without an error when nobody reads its output any more."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Run the command that the arguments name."""
        from .output import ending_quietly

        # A start makes 100,000 objects that stay: looking for garbage takes a tenth of its time.
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
