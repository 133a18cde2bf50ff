"""LLVM's optimisation of a whole module."""

from typing import Any

import llvmlite.binding as llvm


def optimise(module: Any, machine: Any) -> None:
    """Run all of LLVM's passes on a module for a target machine."""
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = False
    options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
