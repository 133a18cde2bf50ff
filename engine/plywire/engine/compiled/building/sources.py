"""The sources of IR: the modules of its kernels, and our modules that these import."""

import ast
from collections.abc import Iterator, Sequence

from plywire.engine.compiled.ir import source_of
from plywire.engine.compiled.program import Program

_MACHINERY = "plywire.engine.compiled."
#: Modules of `compiled` that kernels import. The other modules of `compiled` only process kernels.
_WRITTEN_WITH = {
    "clearing",
    "constant",
    "constants",
    "contract",
    "gather",
    "intrinsics",
    "layout",
    "target",
}


def sources_of(program: Program) -> tuple[str, ...]:
    """Return the modules that can change the kernels of a program, sorted.

    Modules that compile kernels are left out: `make check` detects when they change the IR.
    """
    packages = (f"{program.package}.", "plywire.engine.")
    found = set[str]()
    waiting = list(program.modules)
    while waiting:
        module = waiting.pop()
        is_ours = module.startswith(packages)
        if module.startswith(_MACHINERY):
            is_ours = module.removeprefix(_MACHINERY) in _WRITTEN_WITH
        if is_ours and module not in found:
            found.add(module)
            waiting += _imported(module)
    return tuple(sorted(found))


def _imported(module: str) -> Iterator[str]:
    """Yield the names that a module imports at its top level; some may be no modules."""
    file = source_of(module)
    is_package = file.name == "__init__.py"
    parts = module.split(".") if is_package else module.split(".")[:-1]
    for statement in ast.parse(file.read_bytes()).body:
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            base = parts[: len(parts) - statement.level + 1] if statement.level else []
            source = ".".join([*base, *filter(None, [statement.module])])
            yield from _modules(source, [alias.name for alias in statement.names])


def _modules(source: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the modules of `from source import names`: names that are modules, else the source."""
    for name in names:
        try:
            source_of(f"{source}.{name}")
        except FileNotFoundError:
            yield source
        else:
            yield f"{source}.{name}"
