"""Constants of which kernels get the values with their machine code: board sizes, processors.

A constant is a function of some value, such as a board's geometry. Called from Python, it returns
the number. In a kernel, the number is a constant of the machine code, as if somebody had written it
there. The IR leaves the number open: one IR serves all board sizes and processors at full speed.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

Value = int | Sequence[int]
"""A number, or one for each of the eight lanes of a vector."""

Kind = Literal["uint64", "int64", "flag", "vector"]
"""Its type in kernels: a flag is a boolean, a vector has eight words."""

_T = TypeVar("_T")


class Open:
    """The base of classes whose values kernels get as constants; subclasses are hashable."""

    __slots__ = ()


class Constant(Generic[_T]):
    """A function of a value that is a constant in kernels."""

    def __init__(self, compute: Callable[[_T], Value], kind: Kind) -> None:
        """Use the decorator `constant` instead."""
        self.compute = compute
        self.kind = kind
        self.name = compute.__name__
        self.__doc__ = compute.__doc__

    def __call__(self, value: Any = None) -> Any:
        """The constant of a value; kernels pass none if it depends on the target alone."""
        return self.compute(value)


def constant(kind: Kind) -> Callable[[Callable[[Any], Value]], Constant[Any]]:
    """Make the decorated function a constant of that kind."""
    return lambda compute: Constant(compute, kind)


def values(constants: Sequence[Constant[_T]], value: _T) -> Mapping[str, Value]:
    """The constants of one value, by their names."""
    return {it.name: it.compute(value) for it in constants}
