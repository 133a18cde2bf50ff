"""Numba's part: from kernels as Python has them to LLVM modules, one a function.

Numba finds out the types and writes each function and each of those that it calls as an LLVM
module. For the IR that ships its work ends there: nothing is optimised, wrapped or loaded, which
`linking.py` does for a program as a whole. A kernel that is called by itself goes Numba's whole
way.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numba
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target
from numba.core.typing.typeof import typeof_impl
from numba.extending import overload

from plywire.engine.compiled.constant import Constant, Open
from plywire.engine.compiled.contract import FUNCTIONS, IMPLEMENTATIONS
from plywire.engine.compiled.gather import BytesAdder
from plywire.engine.compiled.kernel import Kernel
from plywire.engine.compiled.program import Argument, Entry

from .lowering import Leaving, OpenType, type_bytes_adder, type_constant

_NUMBERS = {"word": types.uint64, "number": types.int64}


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
    """Have a function of the contract compile to what the game of a board has for it."""

    @overload(function, strict=False)
    def choose(board: Any, *arguments: Any) -> Any:
        if not isinstance(board, types.NamedUniTuple | types.NamedTuple):
            return None
        return IMPLEMENTATIONS.get((function, board.instance_class))


for _function in FUNCTIONS:
    _choose_by_board(_function)


@cache
def compiled(kernel: Kernel) -> Any:
    """A kernel as a function of Numba's, which compiles it for the types that it is called with."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    if kernel.is_inlined:
        options["forceinline"] = True
    if Leaving.is_open:  # nobody calls it from Python
        options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.njit(kernel.function, **options)


class _Collected(JITCodeLibrary):
    """The modules of a function and of those that it calls, as text, and no more than that."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.texts: list[str] = []

    def add_ir_module(self, ir_module: Any) -> None:
        """Keep a module as it is."""
        self.texts.append(str(ir_module))

    def finalize(self) -> None:
        """Leave out what Numba would do with it."""
        self._finalized = True


class Function:
    """An entry as Numba has it: its name and type in LLVM, and the modules it is made of."""

    def __init__(self, entry: Entry) -> None:
        """Compile an entry and all that it calls."""
        dispatcher = compiled(entry.kernel)
        arguments = tuple(map(_type_of, entry.arguments))
        dispatcher.compile(arguments)
        result = dispatcher.overloads[arguments]
        self.name: str = result.fndesc.llvm_func_name
        self.arguments: tuple[str, ...] = tuple(
            kind for argument in entry.arguments for kind in _llvm_types_of(argument)
        )
        """LLVM's types of them, fields of boards one by one; `ptr` stands for no data."""
        self.words = self.arguments.count("i64")
        self.result = _llvm_result(result.signature.return_type)
        self._library = result.library

    def modules(self) -> Mapping[int, str]:
        """The text of each module, by its identity."""
        found: dict[int, str] = {}
        seen = set[int]()
        waiting = [self._library]
        while waiting:
            library = waiting.pop()
            if id(library) in seen or not isinstance(library, _Collected):
                continue
            seen.add(id(library))
            for text in library.texts:
                found[id(text)] = text
            waiting += library._linking_libraries
        return found


def collect() -> None:
    """Make IR that ships from now on: nothing that this process compiles can run in it."""
    context = cpu_target.target_context
    context.refresh()
    context.codegen()._library_class = _Collected
    # Numba knows a compiled function by a built-in one, which nobody calls here.
    context.get_executable = lambda library, fndesc, env: [library].append
    Leaving.is_open = True
    numba.config.CAPTURED_ERRORS = "new_style"


def _type_of(argument: Argument) -> Any:
    if isinstance(argument, str):
        return _NUMBERS[argument]
    if issubclass(argument, Open):
        return OpenType(argument)
    return types.NamedUniTuple(types.uint64, len(argument._fields), argument)


def _llvm_types_of(argument: Argument) -> tuple[str, ...]:
    if isinstance(argument, str):
        return ("i64",)
    return ("ptr",) if issubclass(argument, Open) else ("i64",) * len(argument._fields)


def _llvm_result(kind: Any) -> str:
    if kind == types.none:
        return "void"
    if kind == types.boolean:
        return "i8"
    if kind in (types.int64, types.uint64):
        return "i64"
    raise TypeError(f"an entry returns a number, a boolean or nothing, not {kind}")
