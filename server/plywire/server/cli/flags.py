"""Commands that take the settings of the server."""

import inspect
import re
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args

import typer
from pydantic import ValidationError

from plywire.protocol.field_docs import field_docs
from plywire.protocol.validation import unfit
from plywire.server.settings import Settings

from .options import with_parameters

_CONFIG = inspect.Parameter(
    "config",
    inspect.Parameter.KEYWORD_ONLY,
    default=None,
    annotation=Annotated[
        Path | None, typer.Option("--config", help="TOML file with any of these settings.")
    ],
)


def taking_settings(
    fields: Iterable[str] = Settings.model_fields,
) -> Callable[[Callable[[Settings], None]], Callable[..., None]]:
    """Make a command with a flag for each field, whose first sentence is the flag's help."""

    def decorate(run: Callable[[Settings], None]) -> Callable[..., None]:
        texts = field_docs(Settings)
        parameters = [_CONFIG, *(_parameter(name, texts[name]) for name in fields)]

        @wraps(run)
        def command(**given: Any) -> None:
            run(_settings(**given))

        return with_parameters(command, parameters)

    return decorate


def _settings(config: Path | None, **flags: Any) -> Settings:
    given = {name: value for name, value in flags.items() if value is not None}
    if "ladder" in given:  # `--ladder` alone keeps the ladder settings of the file.
        given["ladder"] = {} if given["ladder"] else None
    try:
        return Settings.load(config, **given)
    except ValidationError as error:
        problems = (f"{_path(item['loc'])}{unfit(item)}" for item in error.errors())
        raise typer.BadParameter("; ".join(problems)) from None
    except (OSError, ValueError) as error:
        raise typer.BadParameter(str(error)) from None


def _path(location: tuple[int | str, ...]) -> str:
    return f"{'.'.join(map(str, location))}: " if location else ""


def _shown(default: Any) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return "none" if default in (None, ()) else str(default)


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=\.) +(?=[A-Z0`])", " ".join(text.split()))[0]


def _parameter(name: str, text: str) -> inspect.Parameter:
    field = Settings.model_fields[name]
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
