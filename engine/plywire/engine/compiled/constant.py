"""Constants whose values kernels get when machine code is made, such as board sizes.

A constant is a function of a value, for example of a board's geometry. In a kernel, its result is a
constant of the machine code. The IR leaves the result open, so one IR serves all board sizes and
processors at full speed.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

Value = int | Sequence[int]
"""A number, or one number for each of the eight lanes of a vector."""

Kind = Literal["uint64", "int64", "flag", "vector"]
"""The type of a constant in kernels: a flag is a boolean, a vector has eight words."""

_T = TypeVar("_T")


class Open:
    """A base for the arguments of constants; subclasses are hashable."""

    __slots__ = ()


class Constant(Generic[_T]):
    """A function whose result is a constant in kernels; the decorator `constant` makes one."""

    def __init__(self, compute: Callable[[_T], Value], kind: Kind) -> None:
        self.compute = compute
        self.kind = kind
        self.name = compute.__name__
        self.__doc__ = compute.__doc__

    def __call__(self, value: Any = None) -> Any:
        """Return the constant of a value; kernels pass no value if only the target matters."""
        return self.compute(value)


def constant(kind: Kind) -> Callable[[Callable[[Any], Value]], Constant[Any]]:
    """Return a decorator that makes a function a constant of this kind."""
    return lambda compute: Constant(compute, kind)


def values(constants: Sequence[Constant[_T]], value: _T) -> Mapping[str, Value]:
    """Return the constants of one value by name."""
    return {it.name: it.compute(value) for it in constants}
