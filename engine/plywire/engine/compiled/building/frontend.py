"""Numba's part of the build: it writes an LLVM module for each function.

For shipped IR, `linking.py` does the rest; a kernel that a test compiles goes through all of Numba.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numba
from numba import types
from numba.core.typing.typeof import typeof_impl
from numba.extending import overload

from plywire.engine.compiled.constant import Constant, Open
from plywire.engine.compiled.contract import FUNCTIONS, IMPLEMENTATIONS
from plywire.engine.compiled.gather import BytesAdder
from plywire.engine.compiled.kernel import Kernel
from plywire.engine.compiled.program import Argument, Entry

from . import operations, vectors  # noqa: F401 - they register lowerings
from .constant import Leaving, OpenType, type_constant
from .gather import type_bytes_adder
from .internals import collect, texts

_NUMBERS = {"uint64": types.uint64, "int64": types.int64}


@typeof_impl.register(Kernel)
def _typeof_kernel(kernel: Kernel, context: Any) -> Any:
    return types.Dispatcher(compiled(kernel))


@typeof_impl.register(Constant)
@cache
def _typeof_constant(constant: Constant[Any], context: Any) -> Any:
    return type_constant(constant)


@typeof_impl.register(BytesAdder)
@cache
def _typeof_bytes_adder(adder: BytesAdder, context: Any) -> Any:
    return type_bytes_adder(adder)


def _choose_by_board(function: Callable[..., Any]) -> None:
    """Make a function of `contract.py` compile to its implementation for the class of board."""

    @overload(function, strict=False)
    def choose(board: Any, *arguments: Any) -> Any:
        if not isinstance(board, types.NamedUniTuple | types.NamedTuple):
            return None
        return IMPLEMENTATIONS.get((function, board.instance_class))


for _function in FUNCTIONS:
    _choose_by_board(_function)


@cache
def compiled(kernel: Kernel) -> Any:
    """Return the Numba function of a kernel, which Numba compiles for the types of each call."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    if kernel.is_inlined:
        options["forceinline"] = True
    # Python never calls the kernels of shipped IR through Numba, so they need no wrappers.
    if Leaving.is_open:
        options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.njit(kernel.function, **options)


class Function:
    """A compiled entry: its name and type in LLVM, and its modules."""

    def __init__(self, entry: Entry) -> None:
        """Compile an entry and all functions that it calls."""
        dispatcher = compiled(entry.kernel)
        arguments = tuple(map(_type_of, entry.arguments))
        dispatcher.compile(arguments)
        result = dispatcher.overloads[arguments]
        self.name: str = result.fndesc.llvm_func_name
        self.arguments: tuple[str, ...] = tuple(
            kind for argument in entry.arguments for kind in _llvm_types_of(argument)
        )
        """LLVM's types of the arguments; a board has one type a field, `ptr` is for no data."""
        self.words = self.arguments.count("i64")
        self.result = _llvm_result(result.signature.return_type)
        self.texts = tuple(texts(result))
        """The modules of the entry and of all functions that it calls."""


def leave_open() -> None:
    """Switch this process to shipped IR: from now on, it cannot run what it compiles."""
    collect()
    Leaving.is_open = True


def _type_of(argument: Argument) -> Any:
    if isinstance(argument, str):
        return _NUMBERS[argument]
    if issubclass(argument, Open):
        return OpenType(argument)
    return types.NamedUniTuple(types.uint64, _fields(argument), argument)


def _llvm_types_of(argument: Argument) -> tuple[str, ...]:
    if isinstance(argument, str):
        return ("i64",)
    return ("ptr",) if issubclass(argument, Open) else ("i64",) * _fields(argument)


def _fields(board: Any) -> int:
    return len(board._fields)


def _llvm_result(kind: Any) -> str:
    if kind == types.none:
        return "void"
    if kind == types.boolean:
        return "i8"
    if kind in (types.int64, types.uint64):
        return "i64"
    raise TypeError(f"an entry returns a number, a boolean or nothing, not {kind}")
