"""Uses of private parts of Numba and llvmlite; a test fails if a new version changes them."""

from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target


class _Collected(JITCodeLibrary):
    """Keeps the modules of a function and of its callees as text, and compiles none."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)  # type: ignore[no-untyped-call]
        self.texts: list[str] = []

    def add_ir_module(self, ir_module: Any) -> None:
        self.texts.append(str(ir_module))

    def finalize(self) -> None:
        """Skip what Numba would do with the modules."""
        self._finalized = True


def collect() -> None:
    """Keep modules as text from now on: this process cannot run what it compiles."""
    context = cpu_target.target_context
    context.refresh()
    context.codegen()._library_class = _Collected
    # Numba expects a built-in function that stands for the compiled one. It is never called here.
    context.get_executable = lambda library, fndesc, env: [library].append


def texts(compiled: Any) -> Iterator[str]:
    """Yield the modules of a compiled function, and of all functions that it calls, each once."""
    seen = set[int]()
    waiting = [compiled.library]
    while waiting:
        library = waiting.pop()
        if id(library) not in seen and isinstance(library, _Collected):
            seen.add(id(library))
            yield from library.texts
            waiting += library._linking_libraries


def pointers_at(builder: Any, base: Any, places: Any, source: Any) -> Any:
    """Return a vector of pointers: `base` plus each of `places`, in units of the type `source`."""
    pointers = builder.gep(base, [places], source_etype=source)
    # llvmlite takes the result for a single pointer, so the type is corrected.
    pointers.type = ir.VectorType(base.type, places.type.count)
    return pointers
