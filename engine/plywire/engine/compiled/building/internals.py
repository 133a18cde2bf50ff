"""The parts of Numba and llvmlite that are used here and are none of their interfaces.

Numba hands the LLVM module of each function that it compiles to a code library. `collect` makes it
use a library that keeps the modules as text. A test fails when a new version changes such a part.
"""

from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target


class _Collected(JITCodeLibrary):
    """Keeps the modules of a function and of those that it calls as text, and compiles none."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)  # type: ignore[no-untyped-call]
        self.texts: list[str] = []

    def add_ir_module(self, ir_module: Any) -> None:
        """Keep a module as it is."""
        self.texts.append(str(ir_module))

    def finalize(self) -> None:
        """Skip what Numba would do with the modules."""
        self._finalized = True


def collect() -> None:
    """Keep modules as text from now on: this process cannot run what it compiles."""
    context = cpu_target.target_context
    context.refresh()
    context.codegen()._library_class = _Collected
    # Numba knows a compiled function by a built-in one, which nobody calls here.
    context.get_executable = lambda library, fndesc, env: [library].append


def texts(compiled: Any) -> Iterator[str]:
    """The modules of a function that Numba compiled, and of all that it calls, each once."""
    seen = set[int]()
    waiting = [compiled.library]
    while waiting:
        library = waiting.pop()
        if id(library) not in seen and isinstance(library, _Collected):
            seen.add(id(library))
            yield from library.texts
            waiting += library._linking_libraries


def pointers_at(builder: Any, base: Any, places: Any, source: Any) -> Any:
    """The pointers to values of a type at some places, a vector, counted from a base."""
    pointers = builder.gep(base, [places], source_etype=source)
    pointers.type = ir.VectorType(base.type, places.type.count)  # llvmlite takes them for one
    return pointers
