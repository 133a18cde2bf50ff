"""Flags for the fields of the settings.

The settings are pydantic models, which `plywire --help` must not load. A command that takes
settings therefore passes its arguments on, unread, to a second command. The second command is built
from the fields when it runs. The first sentence on a field is the help of its flag.
"""

import inspect
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer
from typer.core import TyperCommand
from typer.main import get_command

if TYPE_CHECKING:
    from plywire.server.settings import Settings

#: Where the context of such a command keeps the second one where it is asked for its flags.
_SECOND = f"{__name__}.second"


class Unparsed(TyperCommand):
    """A command whose flags are those of the second one, also to a shell that completes them."""

    def second(self, ctx: Any) -> TyperCommand:
        """The command that reads the arguments; the context's parsing is resilient."""
        if self.callback is not None:
            ctx.invoke(self.callback)
        found: TyperCommand = ctx.meta[_SECOND]
        return found

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """The flags that begin so."""
        return self.second(ctx).shell_complete(ctx, incomplete)


#: Of a command that passes its arguments on.
UNPARSED: dict[str, Any] = {
    "cls": Unparsed,
    "add_help_option": False,
    "context_settings": {"ignore_unknown_options": True, "allow_extra_args": True},
}


def run_with_settings(
    context: typer.Context, run: Callable[["Settings"], None], fields: Sequence[str] | None = None
) -> None:
    """Read the arguments that were passed on as settings, and run with them.

    `fields` are those that get a flag, all if None. `run.__doc__` is the help text.
    """
    from pydantic import ValidationError

    from plywire.protocol.field_docs import field_docs
    from plywire.protocol.validation import unfit
    from plywire.server.settings import Settings

    names = Settings.model_fields if fields is None else fields

    def command(config: Path | None, **flags: Any) -> None:
        given = {name: value for name, value in flags.items() if value is not None}
        if "ladder" in given:  # on, its table of the file stays
            given["ladder"] = {} if given["ladder"] else None
        try:
            settings = Settings.load(config, **given)
        except ValidationError as error:
            problems = (f"{_path(item['loc'])}{unfit(item)}" for item in error.errors())
            raise typer.BadParameter("; ".join(problems)) from None
        except (OSError, ValueError) as error:
            raise typer.BadParameter(str(error)) from None
        run(settings)

    texts = field_docs(Settings)
    parameters = [_config(), *(_parameter(Settings, name, texts[name]) for name in names)]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {item.name: item.annotation for item in parameters}
    command.__doc__ = run.__doc__
    app = typer.Typer(
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="markdown",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.command()(command)
    if context.resilient_parsing:
        context.meta[_SECOND] = get_command(app)
        return
    app(args=context.args, prog_name=context.command_path)


def _path(location: tuple[int | str, ...]) -> str:
    return f"{'.'.join(map(str, location))}: " if location else ""


def _shown(default: Any) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return "none" if default in (None, ()) else str(default)


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=\.) +(?=[A-Z0`])", " ".join(text.split()))[0]


def _config() -> inspect.Parameter:
    option = typer.Option("--config", help="TOML file with any of these settings.")
    return inspect.Parameter(
        "config",
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[Path | None, option],
    )


def _parameter(settings: type["Settings"], name: str, text: str) -> inspect.Parameter:
    field = settings.model_fields[name]
    default = field.get_default(call_default_factory=True)
    flag = "--" + name.replace("_", "-")
    kind: Any
    if isinstance(default, bool) or name == "ladder":
        flag = f"{flag}/--no-{flag[2:]}"
        kind = bool
    elif name == "origins":
        kind = list[str]
    elif default is None:
        kind = next(choice for choice in get_args(field.annotation) if choice is not NoneType)
    else:
        kind = type(default)
    option = typer.Option(
        flag,
        help=f"{_first_sentence(text)} Default: {_shown(default)}.",
        show_default=False,
    )
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[kind | None, option],
    )
