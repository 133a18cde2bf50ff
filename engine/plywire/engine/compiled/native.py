"""Programs as machine code: loaded from the user's store, or made from IR for this processor.

Helper processes do the work: LLVM takes a second and 100 MB, and Numba at least 15 seconds.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import logging
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from . import ir as irs
from .calling import function_at, wrapper_name
from .constant import Value
from .ir import Ir, IrError
from .loading import place
from .program import Program
from .store import store
from .target import machine

log = logging.getLogger(__name__)

#: Estimated seconds on an older machine. They are for starting a helper, for making machine code
#: from a byte of bitcode, and for building a game's IR.
_STARTING, _MAKING, _BUILDING = 0.3, 8e-6, 30.0
_MAKERS = ("calling", "image", "machine_code", "optimise", "target")
#: Seconds between two reports of progress.
_TOLD_EVERY = 0.5


class PreparationError(RuntimeError):
    """A game cannot be prepared; the message is one line: what is missing and what to do."""


@dataclass(frozen=True, slots=True)
class PreparationProgress:
    """The progress of the preparation of a game."""

    step: str
    """The present work, such as `making machine code`."""
    seconds_left: float | None = None
    """The estimated time until the game is ready, None if unknown."""


Listener = Callable[[PreparationProgress], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A program with the constants of one board."""

    program: Program
    constants: Mapping[str, Value] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """A name that is unique in this process for the program with these constants."""
        return f"{self.program.package} {self.program.name} {sorted(self.constants.items())}"


@dataclass(frozen=True, slots=True)
class _Job:
    wanted: Wanted
    ir: Ir

    @property
    def file(self) -> str:
        """The name of the machine code in the store: a hash of all that the code depends on."""
        constants = sorted(self.wanted.constants.items())
        made_of = repr((self.ir.digest, constants, machine(), _makers_hash()))
        digest = hashlib.blake2b(made_of.encode(), digest_size=8).hexdigest()
        return f"{self.wanted.program.name}-{digest}.o"

    def load(self, machine_code: bytes) -> None:
        """Raise ValueError or RuntimeError if the code is unusable, OSError if it may not run."""
        names = tuple(self.ir.entries)
        addresses = place(machine_code, [wrapper_name(name) for name in names])
        functions = map(function_at, addresses, names)
        _loaded[self.wanted.key] = SimpleNamespace(**dict(zip(names, functions, strict=True)))


@cache
def _makers_hash() -> str:
    return irs.sources_hash(f"{__package__}.{name}" for name in _MAKERS)


#: Loaded programs by key; they are never unloaded.
_loaded: dict[str, SimpleNamespace] = {}
#: A lock for each program's key. If two threads want the same program, the second waits for the
#: first.
_preparing: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


def load(program: Program, constants: Mapping[str, Value] | None = None) -> Any:
    """Return the entries of a program as attributes: functions that take integers and return one.

    Makes missing machine code first; raises PreparationError if that fails.
    """
    wanted = Wanted(program, constants or {})
    found = _loaded.get(wanted.key)
    if found is None:
        provide((wanted,))
        found = _loaded[wanted.key]
    return found


def provide(programs: Iterable[Wanted], on_progress: Listener | None = None) -> None:
    """Load programs and make missing machine code; raise PreparationError if that fails.

    Meanwhile, `on_progress` is called in this thread, at once and then every half second.
    """
    others = []  # programs that another thread is making
    with ExitStack() as held:
        mine = []
        for wanted in _in_order(programs):
            lock = _preparing[wanted.key]
            if lock.acquire(blocking=False):
                held.callback(lock.release)
                mine.append(wanted)
            else:
                others.append(wanted)
        _provide(mine, on_progress)
    for wanted in others:
        with _preparing[wanted.key]:
            _provide([wanted], on_progress)


def _provide(programs: Iterable[Wanted], on_progress: Listener | None) -> None:
    jobs = [
        _Job(wanted, ir_of(wanted.program, on_progress))
        for wanted in programs
        if wanted.key not in _loaded
    ]
    try:
        missing = [job for job in jobs if not _load_kept(job)]
        if missing:
            for job, machine_code in zip(missing, _make(missing, on_progress), strict=True):
                job.load(machine_code)
                store().write(job.file, machine_code)
    except OSError as error:
        raise PreparationError(error.strerror or str(error)) from None


def load_kept(programs: Iterable[Wanted]) -> bool:
    """Load programs from the store, which is quick; return whether the store has all of them."""
    with ExitStack() as held:
        for wanted in _in_order(programs):
            held.enter_context(_preparing[wanted.key])
            if wanted.key in _loaded:
                continue
            try:
                ir = _found(wanted.program)
                if ir is None or not _load_kept(_Job(wanted, ir)):
                    return False
            except (IrError, OSError):
                return False
    return True


def _in_order(programs: Iterable[Wanted]) -> list[Wanted]:
    """Sort programs, so that all threads take locks in the same order."""
    return sorted(programs, key=lambda wanted: wanted.key)


def _load_kept(job: _Job) -> bool:
    content = store().read(job.file)
    if content is None:
        return False
    try:
        job.load(content)
    except OSError:
        raise
    except Exception as error:  # after any error, machine code can be made again
        log.warning("useless file=%s: making it again: %s", job.file, error)
        store().remove(job.file)
        return False
    return True


def _make(jobs: Sequence[_Job], on_progress: Listener | None) -> list[bytes]:
    if importlib.util.find_spec("llvmlite") is None:
        raise PreparationError(
            "llvmlite, which makes machine code, is not installed: pip install 'plywire[engine]'"
        )
    asked = [
        {
            "bitcode": job.ir.bitcode.hex(),
            "entries": job.ir.entries,
            "constants": dict(job.wanted.constants),
        }
        for job in jobs
    ]
    expected = _STARTING + _MAKING * sum(len(job.ir.bitcode) for job in jobs)
    helper = "plywire.engine.compiled.machine_code"
    answer = _run(helper, asked, "making machine code", expected, on_progress)
    return [bytes.fromhex(digits) for digits in json.loads(answer)]


def ir_of(program: Program, on_progress: Listener | None = None) -> Ir:
    """Return the IR for the present sources, built here if none was shipped.

    Raises PreparationError if the build fails.
    """
    try:
        found = _found(program)
    except (IrError, OSError) as error:
        log.warning("%s: building it again", error)
        found = _built_before(program)
    if found is None:
        content = build(program, on_progress)
        found = Ir.from_bytes(content, program.name)
        store().write(found.file_name, content)
    return found


def _found(program: Program) -> Ir | None:
    """Return IR that was shipped or built here, None if none fits.

    Raises IrError or OSError if shipped IR is damaged or unreadable.
    """
    shipped = irs.find(program, irs.folder_of(program), Path.read_bytes)
    return shipped or _built_before(program)


def _built_before(program: Program) -> Ir | None:
    kept = store()
    if kept.path is None:
        return None
    try:
        return irs.find(program, kept.path, lambda file: kept.read(file.name))
    except (IrError, OSError):
        return None


def build(program: Program, on_progress: Listener | None = None) -> bytes:
    """Build the IR of a program with Numba; return the content of the file.

    Raises PreparationError if Numba is missing or cannot compile the kernels.
    """
    if importlib.util.find_spec("numba") is None:
        raise PreparationError(
            f"{program.name} must be built from its kernels, and Numba, which builds them, is not "
            "installed: pip install 'plywire[compile]'"
        )
    helper, step = "plywire.engine.compiled.building", f"building {program.name}"
    answer = _run(helper, asdict(program), step, _BUILDING, on_progress)
    return bytes.fromhex(json.loads(answer))


def _run(
    module: str, asked: object, step: str, expected: float, on_progress: Listener | None
) -> bytes:
    """Run one of our modules as a program that reads JSON; return its standard output.

    Raises PreparationError, with the last line of its standard error, if the module fails.
    """
    began = time.monotonic()
    if on_progress is not None:
        on_progress(PreparationProgress(step, expected))
    command = [sys.executable, "-P", "-m", module]
    try:
        helper = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    except OSError as error:
        raise PreparationError(f"{step} failed: {command[0]} does not start: {error}") from None
    talk: Future[tuple[bytes, bytes]] = Future()

    def converse() -> None:
        try:
            talk.set_result(helper.communicate(json.dumps(asked).encode()))
        except Exception as error:
            talk.set_exception(error)

    # The `communicate` method with a timeout loses input that is not yet written, so a thread calls
    # it without one. A daemon thread lets this process end before the helper.
    threading.Thread(target=converse, name="helper", daemon=True).start()
    try:
        while not wait((talk,), _TOLD_EVERY).done:
            if on_progress is not None:
                left = expected - (time.monotonic() - began)
                on_progress(PreparationProgress(step, max(left, _TOLD_EVERY)))
    except BaseException:  # Ctrl-C also ends the helper
        helper.kill()
        raise
    answer, complaint = talk.result()
    if helper.returncode != 0:
        last = complaint.decode(errors="replace").strip().rpartition("\n")[2]
        raise PreparationError(f"{step} failed: {last or f'status {helper.returncode}'}")
    return answer
