"""What a game gives to be compiled: programs, made of the kernels that the engine calls.

A program is linked and optimised as a whole. All that is called from outside are its entries. To
name a program imports no kernels: only who builds it does.
"""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from .constant import Open
from .kernel import Kernel

Argument = Literal["word", "number"] | type[Open] | type[tuple[Any, ...]]
"""A uint64, an int64, a value of which the constants are taken, or a board, field by field."""


@dataclass(frozen=True, slots=True, init=False)
class Entry:
    """A kernel that Python calls."""

    kernel: Kernel
    arguments: tuple[Argument, ...]

    def __init__(self, kernel: Kernel, *arguments: Argument) -> None:
        """The kernel, for arguments of these kinds."""
        object.__setattr__(self, "kernel", kernel)
        object.__setattr__(self, "arguments", arguments)


@dataclass(frozen=True, slots=True)
class Program:
    """Kernels that are compiled together."""

    name: str
    """Such as `othello`: its IR is called after it."""
    package: str
    """The package whose folder `ir` holds the IR that ships."""
    source: str
    """`MODULE:FUNCTION`: the function imports the kernels, and names those that Python calls."""
    board: str | None = None
    """`MODULE:CLASS` of the boards that the function is given, if it is given one."""

    def entries(self) -> Mapping[str, Entry]:
        """The kernels that Python calls; imports all kernels."""
        function = _look_up(self.source)
        found = function() if self.board is None else function(_look_up(self.board))
        return cast(Mapping[str, Entry], found)

    @property
    def modules(self) -> tuple[str, ...]:
        """Where its kernels are found from."""
        references = (self.source, self.board or self.source)
        return tuple(dict.fromkeys(it.partition(":")[0] for it in references))


def _look_up(reference: str) -> Any:
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name)
