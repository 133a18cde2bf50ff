"""The pages of commands: usage, arguments and options, as `--help` has them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import typer

from plywire.server.cli import app, load_command


@cache
def click_commands() -> tuple[tuple[str, Any], ...]:
    """Every command by its full name, such as `plywire tournament run`, in the order of help."""
    return tuple(walk(typer.main.get_command(app), "plywire"))


def walk(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield a command and those below it, each with its full name."""
    yield name, command
    for inner, found in getattr(command, "commands", {}).items():
        whole = load_command(inner) if name == "plywire" else found
        yield from walk(whole, f"{name} {inner}")


def written(name: str) -> str:
    """The section of a command, such as `match`, and of those below it, in Markdown."""
    whole = f"plywire {name}"
    found = [one for one in click_commands() if one[0] == whole or one[0].startswith(f"{whole} ")]
    return "\n\n".join(_section(command, at, at == whole) for at, command in found)


def _section(command: Any, name: str, is_first: bool) -> str:
    context = typer.Context(command, info_name=name, resilient_parsing=True)
    usage = " ".join((name, *command.collect_usage_pieces(context)))
    summary, _, details = (command.help or "").partition("\n\n")
    parts = [] if is_first else [f"## `{name}`"]
    parts += [summary, f"```text\n{usage}\n```", details]
    shown = [one for one in command.params if not getattr(one, "hidden", False)]
    for kind, title in (("argument", "Argument"), ("option", "Option")):
        rows = [_row(one, context) for one in shown if one.param_type_name == kind]
        if rows:
            parts.append("\n".join((f"| {title} | Meaning |", "|---|---|", *rows)))
    inner = getattr(command, "commands", {})
    if inner:
        rows = [
            f"| `{name} {one}` | {found.get_short_help_str(200)} |" for one, found in inner.items()
        ]
        parts.append("\n".join(("| Command | Task |", "|---|---|", *rows)))
    return "\n\n".join(part for part in parts if part)


def _row(parameter: Any, context: Any) -> str:
    name, text = parameter.get_help_record(context) or (parameter.name, "")
    return f"| {_cell(f'`{name}`')} | {_cell(text)} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def grouped() -> str:
    """The commands by the groups of `plywire --help`, each with a link to its page."""
    groups: dict[str, list[str]] = {}
    plywire, *_ = click_commands()
    for name, command in plywire[1].commands.items():
        task = command.get_short_help_str(200)
        row = f"| [`plywire {name}`]({name}.md) | {_cell(task)} |"
        groups.setdefault(command.rich_help_panel, []).append(row)
    return "\n\n".join(
        "\n".join((f"## {title}", "", "| Command | Task |", "|---|---|", *rows))
        for title, rows in groups.items()
    )
