"""Commands that take their options as one object."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import is_dataclass
from functools import wraps
from typing import Any, TypeVar

from .common import refusing

T = TypeVar("T")


def reader(parse: Callable[[str], T]) -> Callable[[str], T]:
    """Make a parser for Typer: the text of a ValueError becomes the error message."""

    def read(text: str) -> T:
        with refusing(ValueError):
            return parse(text)

    return read


def expanded(run: Callable[..., None]) -> Callable[..., None]:
    """Make a command of a function that takes dataclasses: Typer sees their fields."""
    names: dict[str, list[str]] = {}
    parameters: list[inspect.Parameter] = []
    signature = inspect.signature(run, eval_str=True)
    for name, parameter in signature.parameters.items():
        kind = parameter.annotation
        if isinstance(kind, type) and is_dataclass(kind):
            fields = inspect.signature(kind, eval_str=True).parameters
            names[name] = list(fields)
            parameters += fields.values()
        else:
            parameters.append(parameter)

    @wraps(run)
    def command(**given: Any) -> None:
        for name, fields in names.items():
            options = {field: given.pop(field) for field in fields}
            given[name] = signature.parameters[name].annotation(**options)
        run(**given)

    return with_parameters(command, parameters)


def with_parameters(
    command: Callable[..., None], parameters: Iterable[inspect.Parameter]
) -> Callable[..., None]:
    """Show Typer these parameters instead of those of the function."""
    by_name = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
    command.__signature__ = inspect.Signature(by_name)  # type: ignore[attr-defined]
    return command
