"""Programs: kernels that are linked and optimised as a whole.

Only the process that builds a program imports its kernels.
"""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from .constant import Open
from .kernel import Kernel

Argument = Literal["uint64", "int64"] | type[Open] | type[tuple[Any, ...]]
"""The type of an argument: a number, a value for constants, or a board with its fields."""

UINT64: Argument = "uint64"
INT64: Argument = "int64"


@dataclass(frozen=True, slots=True, init=False)
class Entry:
    """A kernel that Python calls."""

    kernel: Kernel
    arguments: tuple[Argument, ...]

    def __init__(self, kernel: Kernel, *arguments: Argument) -> None:
        object.__setattr__(self, "kernel", kernel)
        object.__setattr__(self, "arguments", arguments)


@dataclass(frozen=True, slots=True)
class Program:
    """Kernels that are compiled together."""

    name: str
    """The name, such as `othello`, with which the name of the IR file begins."""
    package: str
    """The package whose folder `ir` holds the shipped IR."""
    source: str
    """`MODULE:FUNCTION`: the function returns the kernels that Python calls."""
    board: str | None = None
    """`MODULE:CLASS` of the boards that the function in `source` takes, None if it takes none."""

    def entries(self) -> Mapping[str, Entry]:
        """Import the kernels; return those that Python calls."""
        function = _look_up(self.source)
        found = function() if self.board is None else function(_look_up(self.board))
        return cast(Mapping[str, Entry], found)

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules from which the search for source modules begins."""
        references = (self.source, self.board or self.source)
        return tuple(dict.fromkeys(it.partition(":")[0] for it in references))


def _look_up(reference: str) -> Any:
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name)
