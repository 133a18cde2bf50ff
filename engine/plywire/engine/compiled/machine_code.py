"""Makes machine code from IR with LLVM; a program that `native.py` runs."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import llvmlite.binding as llvm

from .calling import wrapper_name, wrappers
from .constant import Value, values
from .image import is_supported, link
from .optimise import optimise
from .target import CONSTANTS, Target, host


def make(bitcode: bytes, entries: Mapping[str, int], constants: Mapping[str, Value]) -> bytes:
    """Return the machine code of a program, with a wrapper for each entry.

    The result is an image if the system supports images, else an object file. `entries` maps each
    entry to its number of words. Raises RuntimeError if LLVM cannot read the bitcode.
    """
    target = host()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_bitcode(bitcode)
    machine = target_machine(target)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    given = [definition(*it) for it in {**values(CONSTANTS, target), **constants}.items()]
    for text in ("\n".join(given), wrappers(entries)):
        more = llvm.parse_assembly(text)
        more.triple, more.data_layout = module.triple, module.data_layout
        module.link_in(more)
    exported = set(map(wrapper_name, entries))
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name not in exported:
            value.linkage = llvm.Linkage.internal
    optimise(module, machine)
    made: bytes = machine.emit_object(module)
    return link(made) if is_supported() else made


def target_machine(target: Target) -> Any:
    """Return LLVM's settings for machine code that is kept in a file."""
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu,
        features=target.features,
        opt=3,
        reloc="pic" if is_supported() else "default",
        codemodel="default" if is_supported() else "jitdefault",
        jit=not is_supported(),
    )


def definition(name: str, value: Value) -> str:
    """Return the definition of a constant in LLVM assembly."""
    if isinstance(value, Sequence):
        lanes = ", ".join(f"i64 {word}" for word in value)
        return f"@plywire.{name} = constant <{len(value)} x i64> <{lanes}>"
    return f"@plywire.{name} = constant i64 {int(value)}"


def main() -> None:
    """Make machine code for each job of a JSON list; write it as JSON, in hexadecimal digits."""
    # Standard output is for the answer alone, so other output goes to standard error.
    answer, sys.stdout = sys.stdout, sys.stderr
    jobs = json.load(sys.stdin)
    made = [make(bytes.fromhex(it["bitcode"]), it["entries"], it["constants"]) for it in jobs]
    json.dump([content.hex() for content in made], answer)


if __name__ == "__main__":
    main()
