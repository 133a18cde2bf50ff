"""Building the IR of a program, from its kernels to the file that ships."""

import llvmlite.binding as llvm

from plywire.engine.compiled.ir import Ir
from plywire.engine.compiled.program import Program

from .sources import sources_of


def build(program: Program) -> Ir:
    """Build the IR of a program; this process cannot run kernels after that."""
    entries = program.entries()  # all kernels are there before Numba is told of them
    from .frontend import Function, collect
    from .linking import link

    collect()
    functions = {name: Function(entry) for name, entry in entries.items()}
    bitcode = link(functions)
    return Ir(
        program.name,
        {name: function.words for name, function in functions.items()},
        sources_of(program),
        ".".join(map(str, llvm.llvm_version_info)),
        bitcode,
    )
