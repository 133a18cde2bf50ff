"""LLVM's optimisation of a module as a whole."""

from typing import Any

import llvmlite.binding as llvm


def optimise(module: Any, machine: Any, level: int) -> None:
    """Run LLVM's passes of a level from 0 to 3 on a module, for a target machine."""
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = False
    options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
