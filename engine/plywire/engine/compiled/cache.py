"""Where the machine code of kernels is kept.

Numba's disk cache watches only the file of the cached function, not the files of the kernels that
are inlined into it. So the cache folder's name holds a hash of every source of the engine and of
the games that other distributions add: any edit starts a fresh cache and stale machine code can
never run. The folder is the user's own, which also serves read-only installs; the environment
variable PLYWIRE_CACHE_DIR moves it.

Numba also believes whatever its cache files say. Here each kernel, compiled for each signature, is
a file of its own, which begins with a checksum of the rest: one that was cut off, or of which a bit
is wrong, is thrown away and compiled again. Where nothing can be written, kernels are compiled in
memory, anew in every process. What is kept is never more than a shortcut: no fault of a disk keeps
a kernel from running.
"""

import contextlib
import hashlib
import logging
import os
import pickle
import shutil
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from platformdirs import user_cache_path

from plywire.engine.entry_points import BACKENDS

log = logging.getLogger(__name__)

_ENGINE = Path(__file__).parents[1]
_PREFIX = "kernels-"
#: Machine code of other sources is thrown away when it was not used for so long, in seconds.
_KEPT_UNUSED = 14 * 24 * 3600
_CHECKSUM_BYTES = 32
#: Code of one version is never shown to another.
_VERSIONS = f"numba {numba.__version__} {sys.implementation.cache_tag}"


def sources_hash(*roots: Path) -> str:
    """A hash of all Python sources in some folders, names and contents; a root may be a file."""
    digest = hashlib.blake2b(digest_size=8)
    for root in roots:
        for path in sorted(root.rglob("*.py")) if root.is_dir() else [root]:
            digest.update(path.relative_to(root.parent).as_posix().encode() + b"\0")
            digest.update(hashlib.blake2b(path.read_bytes()).digest())
    return digest.hexdigest()


def _roots() -> Iterator[Path]:
    """Where kernels are: the engine, and the packages that other distributions' games come in."""
    yield _ENGINE
    for name in sorted({it.module.partition(".")[0] for it in entry_points(group=BACKENDS)}):
        if spec := find_spec(name):
            folders = spec.submodule_search_locations or [spec.origin or ""]
            yield from filter(Path.exists, map(Path, folders))


def cache_dir() -> Path | None:
    """The folder that holds the machine code of exactly these sources; None if users have none."""
    chosen = os.environ.get("PLYWIRE_CACHE_DIR")
    folder = Path(chosen) if chosen else user_cache_path("plywire", appauthor=False)
    if not chosen and not folder.is_absolute():  # the user has no home
        return None
    return folder / f"{_PREFIX}{sources_hash(*_roots())}"


def prune(folder: Path) -> None:
    """Remove the caches of other sources beside a cache, unless they were used of late."""
    oldest = time.time() - _KEPT_UNUSED
    for other in folder.parent.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):  # another process may be removing it too
            if other != folder and other.stat().st_mtime < oldest:
                shutil.rmtree(other, ignore_errors=True)


class KernelFolder:
    """A folder of files that are read as they were written or not at all; never raises."""

    def __init__(self, path: Path | None) -> None:
        """Make the folder, where that can be done; without a path nothing is kept."""
        self.path = path
        self._has_warned = False
        if path is None:
            return
        try:
            is_new = not path.exists()
            path.mkdir(parents=True, exist_ok=True)
            path.touch()
        except OSError as error:
            self._warn(error)
        else:
            if is_new:
                prune(path)

    def read(self, name: str) -> bytes | None:
        """What was written under a name; None, and the file removed, if it is not as it was."""
        if self.path is None:
            return None
        try:
            data = (self.path / name).read_bytes()
        except OSError:
            return None
        content = data[_CHECKSUM_BYTES:]
        if data[:_CHECKSUM_BYTES] == _checksum(content):
            return content
        log.warning("damaged file=%s: compiling again", self.path / name)
        self.remove(name)
        return None

    def write(self, name: str, content: bytes) -> None:
        """Write a file whole, in place of what there was; on a full disk there is none."""
        if self.path is None:
            return
        part = self.path / f"{uuid.uuid4().hex}.part"
        try:
            part.write_bytes(_checksum(content) + content)
            part.replace(self.path / name)  # readers see the old file or the new one
        except OSError as error:
            self.remove(part.name)
            self._warn(error)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there and can be removed."""
        if self.path is not None:
            with contextlib.suppress(OSError):
                (self.path / name).unlink()

    def _warn(self, error: OSError) -> None:
        if not self._has_warned:
            self._has_warned = True
            log.warning("compiling in memory: cannot write folder=%s: %s", self.path, error)


#: Keeps nothing.
NOWHERE = KernelFolder(None)


@cache
def _file_hash(name: str) -> str:
    """A hash of a source file, for kernels in files of no game; the folder's name tells those."""
    return hashlib.blake2b(Path(name).read_bytes(), digest_size=8).hexdigest()


def _checksum(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_CHECKSUM_BYTES).digest()


class KernelCache(FunctionCache):
    """Numba's cache of one function, in a `KernelFolder`: a file for each signature."""

    def __init__(self, function: Callable[..., Any], folder: KernelFolder) -> None:
        """The cache of a function; its base class would look for a folder of its own."""
        self._py_func = function
        # What was typed in is in no file that could tell it from what is typed in tomorrow.
        self._folder = folder if Path(function.__code__.co_filename).is_file() else NOWHERE
        self._cache_path = str(folder.path)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function of a signature, None if it has to be compiled."""
        target_context.refresh()
        key = self._key(sig, target_context.codegen())
        name = self._file_name(key)
        content = self._folder.read(name)
        if content is None:
            return None
        try:
            stored, reduced = pickle.loads(content)
            # Types of one name can differ, such as the boards of two games.
            return CompileResult._rebuild(target_context, *reduced) if stored == key else None
        except Exception:  # whatever it is, the function can be compiled
            log.warning("useless file=%s: compiling again", name, exc_info=True)
            self._folder.remove(name)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the compiled function of a signature, unless it holds addresses of this process."""
        if not data.library.has_dynamic_globals:
            key = self._key(sig, data.codegen)
            self._folder.write(self._file_name(key), dumps((key, data._reduce())))

    def flush(self) -> None:
        """Forget nothing: what is compiled again is written again."""

    def _key(self, sig: Any, codegen: Any) -> Any:
        """What tells one machine code from another: signature, processor and source."""
        index_key: Any = self._index_key
        return *index_key(sig, codegen), _file_hash(self._py_func.__code__.co_filename)

    def _file_name(self, key: Any) -> str:
        function = self._py_func
        digest = hashlib.blake2b(f"{_VERSIONS} {key!r}".encode(), digest_size=8).hexdigest()
        readable = f"{function.__module__}.{function.__qualname__}".replace("<locals>.", "")
        return f"{readable}-{digest}"
