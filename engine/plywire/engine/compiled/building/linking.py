"""LLVM's part of the build: all functions of a program in one optimised module, as bitcode.

Two builds give the same bytes, which are not bound to a processor or system.
"""

import re
from collections.abc import Mapping

import llvmlite.binding as llvm
from numba.core.cgutils import normalize_ir_text

from plywire.engine.compiled.optimise import optimise

from .frontend import Function

#: The system and the processor for which LLVM optimises the IR. Most processors have its vectors of
#: 256 bits. Machine code for other processors is made from the same IR.
_TRIPLE, _CPU = "x86_64-unknown-linux-gnu", "x86-64-v3"
#: Matches the definition of one of Numba's own wrappers, which nobody calls.
_WRAPPERS = re.compile(r'^define .*@"?(cfunc\.|_ZN7cpython)', re.MULTILINE)


def link(functions: Mapping[str, Function]) -> bytes:
    """Return the bitcode of a program, with a C function for each entry, named like the entry."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    module = llvm.parse_assembly("\n".join(map(_entry, functions, functions.values())))
    # Entries may share modules, and each module is linked only once.
    for text in {id(text): text for it in functions.values() for text in it.texts}.values():
        if not _WRAPPERS.search(text):
            module.link_in(llvm.parse_assembly(normalize_ir_text(text)))
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name not in functions:
            value.linkage = llvm.Linkage.internal
    module.verify()
    machine = llvm.Target.from_triple(_TRIPLE).create_target_machine(cpu=_CPU, opt=3)
    module.triple, module.data_layout = _TRIPLE, str(machine.target_data)
    optimise(module, machine)
    _rename(module, functions)
    module.name = "plywire"
    bitcode: bytes = module.as_bitcode()
    return bitcode


def _entry(name: str, function: Function) -> str:
    """Write a C function that calls Numba's function and returns what this leaves in memory."""
    given = [f"{kind} %a{number}" for number, kind in enumerate(function.arguments)]
    passed = ", ".join(["ptr %result", "ptr %error", *given])
    kinds = ", ".join(["ptr", "ptr", *function.arguments])
    outside = ", ".join(argument for argument in given if not argument.startswith("ptr"))
    passed = re.sub(r"ptr %a\d+", "ptr null", passed)
    kind = "ptr" if function.result == "void" else function.result
    value = {
        "void": "i64 0",
        "i64": "i64 %value",
        "i8": "i64 %word",
    }[function.result]
    return f"""
declare i32 @"{function.name}"({kinds})
define i64 @{name}({outside}) {{
  %result = alloca {kind}
  %error = alloca ptr
  %status = call i32 @"{function.name}"({passed})
  %value = load {kind}, ptr %result
  {"%word = zext i8 %value to i64" if function.result == "i8" else ""}
  ret {value}
}}
"""


def _rename(module: llvm.ModuleRef, functions: Mapping[str, Function]) -> None:
    """Name inner functions by numbers: Numba's names contain types, modules and counters."""
    number = 0
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name not in functions:
            value.name = f"k{number}"
            number += 1
