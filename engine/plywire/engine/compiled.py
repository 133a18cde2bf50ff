"""How kernels are compiled, and where the machine code is kept.

Numba's disk cache watches only the file of the cached function, not the files of the kernels that
are inlined into it. So the cache folder's name holds a hash of every engine source: any edit starts
a fresh cache and stale machine code can never run. The folder is the user's own, which also serves
read-only installs; the environment variable PLYWIRE_CACHE_DIR moves it. Where nothing can be
written, kernels are compiled anew in every process.
"""

import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

_SOURCES = Path(__file__).parent
_PREFIX = "kernels-"
#: Machine code of other sources is thrown away when it was not used for so long, in seconds.
_KEPT_UNUSED = 14 * 24 * 3600


def sources_hash(root: Path = _SOURCES) -> str:
    """A hash of all Python sources below a folder, names and contents."""
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(hashlib.blake2b(path.read_bytes()).digest())
    return digest.hexdigest()


def _user_cache() -> Path:
    if chosen := os.environ.get("PLYWIRE_CACHE_DIR"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "plywire"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "plywire"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "plywire"


def cache_dir() -> Path:
    """The folder that holds the machine code of exactly these sources."""
    return _user_cache() / f"{_PREFIX}{sources_hash()}"


def prune(folder: Path) -> None:
    """Remove the caches of other sources beside a cache, unless they were used of late."""
    oldest = time.time() - _KEPT_UNUSED
    for other in folder.parent.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):  # another process may be removing it too
            if other != folder and other.stat().st_mtime < oldest:
                shutil.rmtree(other, ignore_errors=True)


def _use_cache() -> bool:
    """Point Numba at the cache, made if need be; False if it cannot be written."""
    try:
        folder = cache_dir()
        is_new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
        # Numba refuses to compile if it cannot write.
        tempfile.TemporaryFile(dir=folder).close()
        if is_new:
            prune(folder)
    except (OSError, RuntimeError):  # RuntimeError: the user has no home
        return False
    settings: Any = numba.config
    settings.CACHE_DIR = str(folder)
    return True


_CACHED = _use_cache()


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function to machine code that runs without the GIL and is kept on disk."""
    return numba.njit(function, cache=_CACHED, nogil=True, error_model="numpy")


def inlined(function: Callable[..., Any]) -> Any:
    """Compile like `kernel`, and expand the function in each of its callers.

    For what is small and called all the time: a call passes its result through memory.
    """
    return numba.njit(function, cache=_CACHED, nogil=True, error_model="numpy", forceinline=True)
