"""Builds the IR of a program from its kernels."""

import platform

import llvmlite.binding as llvm
import numba

from plywire.engine.compiled.ir import Ir, sources_hash
from plywire.engine.compiled.program import Program

from .sources import sources_of


def versions() -> str:
    """Return the versions of Python, Numba and LLVM that build here."""
    llvm_version = ".".join(map(str, llvm.llvm_version_info))
    python = ".".join(platform.python_version_tuple()[:2])
    return f"Python {python}, Numba {numba.__version__}, LLVM {llvm_version}"


def build(program: Program) -> Ir:
    """Build the IR of a program; raise RuntimeError if a source was edited during the build.

    Afterwards, this process cannot run kernels.
    """
    sources = sources_of(program)
    before = sources_hash(sources)
    # All kernels are imported first: Numba looks up a game's implementations when it compiles.
    entries = program.entries()
    from .frontend import Function, leave_open
    from .linking import link

    leave_open()
    functions = {name: Function(entry) for name, entry in entries.items()}
    bitcode = link(functions)
    if sources_hash(sources) != before:
        raise RuntimeError("the kernels were edited while they were built: build them again")
    return Ir(
        program.name,
        {name: function.words for name, function in functions.items()},
        sources,
        before,
        versions(),
        bitcode,
    )
