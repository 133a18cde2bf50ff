"""What `building/internals.py` relies on. A failure says what a new Numba or llvmlite changed."""

import tomllib
from importlib.metadata import version
from pathlib import Path

from llvmlite import ir
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target
from packaging.requirements import Requirement

PROJECT = Path(__file__).parents[3] / "pyproject.toml"


def test_numba_makes_code_libraries_of_a_class_that_can_be_exchanged() -> None:
    codegen = cpu_target.target_context.codegen()
    assert codegen._library_class is JITCodeLibrary
    assert isinstance(codegen.create_library("empty"), JITCodeLibrary)


def test_a_library_knows_what_it_is_linked_with_and_whether_it_is_final() -> None:
    library = cpu_target.target_context.codegen().create_library("library")
    assert not library._finalized
    assert not library._linking_libraries
    for method in ("add_ir_module", "finalize"):
        assert callable(getattr(JITCodeLibrary, method))


def test_numba_asks_the_target_for_the_function_that_runs() -> None:
    assert callable(cpu_target.target_context.get_executable)


def test_llvmlite_takes_a_vector_of_pointers_for_one_pointer() -> None:
    """Once it does not, `pointers_at` is no longer needed."""
    word, byte = ir.IntType(64), ir.IntType(8)
    function = ir.Function(ir.Module(), ir.FunctionType(ir.VoidType(), [word]), "function")
    builder = ir.IRBuilder(function.append_basic_block())
    base = builder.inttoptr(function.args[0], byte.as_pointer())
    places = ir.Constant(ir.VectorType(word, 4), [0] * 4)
    assert not isinstance(builder.gep(base, [places], source_etype=byte).type, ir.VectorType)


def test_versions_with_other_internals_are_not_installed() -> None:
    extras = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["optional-dependencies"].values()
    wanted = [Requirement(it) for extra in extras for it in extra]
    for name in ("numba", "llvmlite"):
        ranges = [it.specifier for it in wanted if it.name == name]
        assert ranges
        for specifier in ranges:
            assert specifier.contains(version(name))
            assert any(each.operator == "<" for each in specifier)
