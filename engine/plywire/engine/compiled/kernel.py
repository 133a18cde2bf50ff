"""Decorators that mark functions as kernels, in the part of Python that Numba compiles.

The product only runs machine code that `native.py` makes. To run a single kernel, use `compiled` in
`building/frontend.py`.
"""

from collections.abc import Callable
from typing import Any


class Kernel:
    """A function that runs as machine code, without the GIL."""

    def __init__(self, function: Callable[..., Any], *, is_inlined: bool) -> None:
        """Use the decorators `kernel` and `inlined` instead."""
        self.function = function
        self.is_inlined = is_inlined
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__


def kernel(function: Callable[..., Any]) -> Any:
    """Mark a function as a kernel."""
    return Kernel(function, is_inlined=False)


def inlined(function: Callable[..., Any]) -> Any:
    """Mark a small kernel with many calls: it is expanded in each of its callers."""
    return Kernel(function, is_inlined=True)
