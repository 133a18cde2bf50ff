"""Programs as machine code, on machines that are as they should be and on others."""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

import plywire.engine
from plywire.engine.compiled import image, loading, machine_code, native
from plywire.engine.compiled.building.sources import sources_of
from plywire.engine.compiled.calling import function_at, wrapper_name
from plywire.engine.compiled.clearing import CLEARING
from plywire.engine.compiled.ir import SUFFIX, Ir, IrError
from plywire.engine.compiled.native import (
    PreparationError,
    PreparationProgress,
    Wanted,
    load,
    provide,
)
from plywire.engine.compiled.program import Program
from plywire.engine.compiled.store import Store
from plywire.engine.registry import backend_of
from plywire.engine.registry import load as load_game
from tests.kernels import PROGRAMS
from tools.kernels import shipped_programs
from tools.training.kernels import TRAINING

ENGINE = Path(plywire.engine.__path__[0])
#: Counts the tree of Tic-Tac-Toe, and prints which libraries are there then.
COUNT = textwrap.dedent(
    """
    import logging, sys
    logging.basicConfig(level="WARNING", format="%(message)s")
    from plywire.engine.perft import Subtree
    from plywire.engine.registry import load

    count = Subtree(None, load("tictactoe").start(), 3).count()
    print(count.leaves, *sorted({"numba", "llvmlite"} & set(sys.modules)))
    """
)
#: A disk on which files end after so many bytes is as good as full.
FULL_DISK = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))\n"
#: A system that lets nobody run what was written to memory.
NOTHING_RUNS = """
import ctypes
from plywire.engine.compiled import image
class Library:
    def __init__(self, name, **_): self.mprotect = lambda *_: -1
    def __getattr__(self, name): return getattr(ctypes.CDLL(None), name)
real, image.ctypes = ctypes, type("Ctypes", (), dict(vars(ctypes), CDLL=Library))
"""
WITHOUT = """
import importlib.util as util
def find(name, find=util.find_spec): return None if name == "{}" else find(name)
util.find_spec = find
"""
PERFT = backend_of(load_game("tictactoe")).perft_program()


def run(
    cache: Path, *, tree: Path | None = None, before: str = "", code: str = COUNT
) -> tuple[str, str]:
    """What a process of its own prints, and complains of."""
    environment = os.environ | {"PLYWIRE_CACHE_DIR": str(cache)}
    if tree is not None:
        environment["PYTHONPATH"] = str(tree)
    done = subprocess.run(
        [sys.executable, "-P", "-c", before + code],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip(), done.stderr.strip()


def objects(cache: Path) -> list[Path]:
    """The machine code that is kept."""
    return sorted((cache / "kernels").glob("*.o"))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the engine that can be edited."""
    root = tmp_path / "tree"
    shutil.copytree(
        ENGINE, root / "plywire" / "engine", ignore=shutil.ignore_patterns("__pycache__")
    )
    return root


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store of this test alone, from which nothing is loaded yet."""
    made = Store(tmp_path)
    monkeypatch.setattr(native, "store", lambda: made)
    monkeypatch.setattr(native, "_loaded", {})
    return made


def without(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Imitate that a package is not installed."""
    find = native.importlib.util.find_spec
    monkeypatch.setattr(
        native.importlib.util, "find_spec", lambda name: None if name == package else find(name)
    )


class TestInThisProcess:
    def test_progress_is_told_while_something_is_made(self, fresh: Store) -> None:
        told: list[PreparationProgress] = []
        provide([Wanted(PERFT)], told.append)
        assert {it.step for it in told} == {"making machine code"}
        assert all(it.seconds_left is not None and it.seconds_left > 0 for it in told)
        told.clear()
        provide([Wanted(PERFT)], told.append)
        assert told == []

    def test_what_another_thread_makes_holds_up_nothing_else(
        self, fresh: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        both = [Wanted(PERFT), Wanted(CLEARING)]
        is_asked, may_end = threading.Event(), threading.Event()
        make = native._make
        asked: list[set[str]] = []

        def slow(jobs: Sequence[native._Job], on_progress: object) -> list[bytes]:
            asked.append({job.wanted.program.name for job in jobs})
            if len(asked) == 1:
                is_asked.set()
                assert may_end.wait(60)
            return make(jobs, None)

        monkeypatch.setattr(native, "_make", slow)
        first = threading.Thread(target=provide, args=([Wanted(CLEARING)],))
        first.start()
        assert is_asked.wait(60)
        second = threading.Thread(target=provide, args=(both,))
        second.start()
        while second.is_alive() and Wanted(PERFT).key not in native._loaded:
            second.join(0.01)
        assert Wanted(CLEARING).key not in native._loaded
        may_end.set()
        first.join()
        second.join()
        assert asked == [{"clearing"}, {"tictactoe-perft"}]

    def test_entries_take_integers_and_no_others(self, fresh: Store) -> None:
        count_into = load(PERFT).count_into
        with pytest.raises(TypeError):
            count_into("one", 2, 3, 4, 5)
        with pytest.raises(SystemError):
            count_into(1)

    def test_machine_code_of_nothing_known_is_made_again(
        self, fresh: Store, caplog: pytest.LogCaptureFixture
    ) -> None:
        load(PERFT)
        (file,) = fresh.path.iterdir() if fresh.path else ()
        native._loaded.clear()
        fresh.write(file.name, b'{"exported": {}, "stubs": {"lost": 0}}\n' + bytes(100))
        assert load(PERFT).count_into
        assert "useless" in caplog.text

    def test_each_processor_has_its_own(
        self, fresh: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        load(PERFT)
        native._loaded.clear()
        monkeypatch.setattr(native, "machine", lambda: "another")
        load(PERFT)
        assert len(list(fresh.path.iterdir() if fresh.path else ())) == 2

    def test_a_helper_that_fails_is_told_in_one_line(
        self, fresh: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
        with pytest.raises(PreparationError, match=r"^making machine code failed: /nowhere/py.*$"):
            load(PERFT)

    def test_where_there_are_no_images_llvm_places_the_code(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(image, "is_supported", lambda: False)
        monkeypatch.setattr(machine_code, "is_supported", lambda: False)
        ir = native.ir_of(PERFT)
        made = machine_code.make(ir.bitcode, ir.entries, {})
        (address,) = loading.place(made, [wrapper_name("count_into")])
        counts = (ctypes.c_uint64 * 2)()
        count_into = function_at(address, "count_into")
        board = backend_of(load_game("tictactoe")).board()
        words = load_game("tictactoe").start().words()
        count_into(*map(int, board), *words, 3, ctypes.addressof(counts))
        assert list(counts) == [504, 0]

    def test_without_numba_other_sources_cannot_be_built(
        self, fresh: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(native.irs, "folder_of", lambda program: fresh.path)
        without("numba", monkeypatch)
        with pytest.raises(PreparationError, match=r"pip install 'plywire\[compile\]'"):
            load(PERFT)

    def test_without_llvmlite_machine_code_cannot_be_made(
        self, fresh: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        without("llvmlite", monkeypatch)
        with pytest.raises(PreparationError, match=r"llvmlite.*pip install 'plywire\[engine\]'"):
            load(PERFT)


class TestInAnother:
    def test_neither_numba_nor_llvm_is_loaded(self, tmp_path: Path) -> None:
        for _ in range(2):
            assert run(tmp_path) == ("504", "")

    def test_edited_kernels_are_built_anew_and_kept(self, tree: Path, tmp_path: Path) -> None:
        cache = tmp_path / "cache"
        assert run(cache, tree=tree) == ("504", "")
        kernels = tree / "plywire" / "engine" / "tictactoe" / "kernels.py"
        text = kernels.read_text()
        kernels.write_text(text.replace("_FULL = np.uint64(0o777)", "_FULL = np.uint64(0o377)"))
        assert run(cache, tree=tree) == ("336", "")
        assert len(list((cache / "kernels").glob(f"*{SUFFIX}"))) == 1
        # What was built is found by the next process, which has no Numba.
        assert run(cache, tree=tree, before=WITHOUT.format("numba")) == ("336", "")
        kernels.write_text(text)
        assert run(cache, tree=tree) == ("504", "")

    def test_damaged_ir_is_built_anew(self, tree: Path, tmp_path: Path) -> None:
        (file,) = (tree / "plywire/engine/ir").glob("tictactoe-perft-*")
        file.write_bytes(file.read_bytes()[:-10])
        printed, complaint = run(tmp_path / "cache", tree=tree)
        assert printed == "504"
        assert complaint == f"{file} is damaged: building it again"

    def test_it_is_made_in_every_process_where_nothing_can_be_written(self, tmp_path: Path) -> None:
        blocked = tmp_path / "file"
        blocked.write_text("not a folder")
        printed, complaint = run(blocked)
        assert printed == "504"
        assert "machine code is not kept" in complaint
        assert run(tmp_path, before=FULL_DISK)[0] == "504"
        assert objects(tmp_path) == []

    def test_damaged_machine_code_is_made_again(self, tmp_path: Path) -> None:
        run(tmp_path)
        (file,) = objects(tmp_path)
        whole = file.read_bytes()
        for damaged in (whole[: len(whole) // 2], whole[:-1] + bytes([whole[-1] ^ 1]), b""):
            file.write_bytes(damaged)
            printed, complaint = run(tmp_path)
            assert printed == "504"
            assert "damaged" in complaint
            assert file.read_bytes() == whole

    def test_two_processes_at_once(self, tmp_path: Path) -> None:
        environment = os.environ | {"PLYWIRE_CACHE_DIR": str(tmp_path)}
        command = [sys.executable, "-P", "-c", COUNT]
        both = [
            subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) for _ in range(2)
        ]
        assert [process.communicate()[0] for process in both] == [b"504\n"] * 2
        assert len(objects(tmp_path)) == 1

    def test_a_killed_process_leaves_nothing_that_is_believed(self, tmp_path: Path) -> None:
        killed = COUNT.replace("import logging", "import os, signal, logging")
        before = "from plywire.engine.compiled import store\n"
        before += "from pathlib import Path; import os, signal\n"
        before += "Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        environment = os.environ | {"PLYWIRE_CACHE_DIR": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, "-P", "-c", before + killed], env=environment, check=False
        )
        assert done.returncode == -signal.SIGKILL
        assert objects(tmp_path) == []
        assert run(tmp_path) == ("504", "")

    @pytest.mark.skipif(not image.is_supported(), reason="LLVM places machine code here")
    def test_where_nothing_may_run_it_is_said_in_one_line(self, tmp_path: Path) -> None:
        _, complaint = run(tmp_path, before=NOTHING_RUNS)
        last = complaint.splitlines()[-1]
        assert last.endswith("PreparationError: the system does not let machine code run")


class TestIr:
    IR = Ir("noughts", {"count": 3}, ("plywire.engine.game",), "0" * 16, "Python 3.11", b"bitcode")

    def test_it_is_read_as_it_was_written(self) -> None:
        assert Ir.from_bytes(self.IR.to_bytes(), "file") == self.IR

    def test_whatever_is_changed_is_found_out(self) -> None:
        content = self.IR.to_bytes()
        line, _, packed = content.partition(b"\n")
        head = json.loads(line)
        heads = [
            head | {"format": 99},
            head | {"program": "crosses"},
            head | {"entries": {}},
            [],
            {},
        ]
        wrong = [json.dumps(it).encode() + b"\n" + packed for it in heads]
        wrong += [content[:length] for length in range(0, len(content), 7)]
        wrong += [line + b"\n" + packed[:-3], line + b"\n\0" + packed[1:], b"\xff\n"]
        for content in wrong:
            with pytest.raises(IrError, match="file"):
                Ir.from_bytes(content, "file")


def test_every_program_has_its_ir() -> None:
    programs = (*shipped_programs(), TRAINING, *PROGRAMS)
    assert len(programs) >= 19
    for program in programs:
        found = native.irs.find(program, native.irs.folder_of(program), Path.read_bytes)
        assert found is not None, f"{program.name}: make kernels"


def test_an_edit_of_rules_leaves_all_ir_as_it_is() -> None:
    for program in (*shipped_programs(), *PROGRAMS):
        for module in sources_of(program):
            assert module != "plywire.engine.game"
            assert not module.endswith(".rules")


def test_a_program_that_is_nowhere_is_told() -> None:
    with pytest.raises(PreparationError, match="plywire_lost"):
        load(Program("lost", "plywire.engine", "plywire_lost:entries"))
