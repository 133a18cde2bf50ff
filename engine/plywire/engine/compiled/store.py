"""A folder that keeps machine code: files are read as they were written or not at all.

Each file begins with a checksum of the rest. A file that was cut off, or has a wrong bit, is
removed and made again. If nothing can be written, every process makes its machine code: the store
only saves time, and no fault of a disk keeps a kernel from running. The folder is the user's own,
which also serves read-only installs. The environment variable PLYWIRE_CACHE_DIR moves it.

The files run with the rights of who reads them. So the folder and each file must be the user's or
root's, and nobody else may write them: the folder is closed to others, and other files are refused.
"""

import contextlib
import hashlib
import logging
import os
import stat
import time
import uuid
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

log = logging.getLogger(__name__)

#: Files that were not used for longer than this, in seconds, are removed.
_KEPT_UNUSED = 14 * 24 * 3600
#: Seconds from one note of a file's use to the next, at least.
_NOTED_EVERY = 24 * 3600
_CHECKSUM_BYTES = 32
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_FOLDER = "kernels"


def cache_dir() -> Path | None:
    """The folder of the store; None if the user has no home."""
    chosen = os.environ.get("PLYWIRE_CACHE_DIR")
    folder = Path(chosen) if chosen else user_cache_path("plywire", appauthor=False)
    if not chosen and not folder.is_absolute():
        return None
    return folder / _FOLDER


class Store:
    """A folder of files; never raises."""

    def __init__(self, path: Path | None) -> None:
        """Make the folder if possible; keep nothing without a path or in another user's folder."""
        self.path = path
        self._has_warned = False
        if path is None:
            return
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            _close(path)
        except PermissionError as error:
            self._warn(error)
            self.path = None
        except OSError as error:
            self._warn(error)

    def read(self, name: str) -> bytes | None:
        """Read a file; returns None if there is none, and removes it if it is damaged."""
        if self.path is None:
            return None
        file = self.path / name
        try:
            found = file.lstat()
            why = _distrust(found) if stat.S_ISREG(found.st_mode) else "it is not a file"
            data = b"" if why else file.read_bytes()
        except OSError:
            return None
        content = data[_CHECKSUM_BYTES:]
        if data[:_CHECKSUM_BYTES] != _checksum(content):
            log.warning("damaged file=%s: making it again: %s", file, why or "wrong checksum")
            self.remove(name)
            return None
        with contextlib.suppress(OSError):
            if file.stat().st_mtime < time.time() - _NOTED_EVERY:
                os.utime(file)
        return content

    def write(self, name: str, content: bytes) -> None:
        """Write a file, or replace it whole; on a full disk there is none."""
        if self.path is None:
            return
        part = self.path / f"{uuid.uuid4().hex}.part"
        try:
            part.touch(mode=0o600, exist_ok=False)
            part.write_bytes(_checksum(content) + content)
            part.replace(self.path / name)  # readers see the old file or the new one
        except OSError as error:
            self.remove(part.name)
            self._warn(error)
        else:
            self._prune()

    def remove(self, name: str) -> None:
        """Remove a file, if it is there and can be removed."""
        if self.path is not None:
            with contextlib.suppress(OSError):
                (self.path / name).unlink()

    def _prune(self) -> None:
        """Remove files that were not used for long, and parts that a killed process left."""
        oldest = time.time() - _KEPT_UNUSED
        with contextlib.suppress(OSError):  # another process may be removing it too
            for file in () if self.path is None else self.path.iterdir():
                if file.stat().st_mtime < oldest:
                    file.unlink()

    def _warn(self, error: OSError) -> None:
        if not self._has_warned:
            self._has_warned = True
            log.warning("machine code is not kept: folder=%s: %s", self.path, error)


@cache
def store() -> Store:
    """The store of this user."""
    return Store(cache_dir())


def distrust(folder: Path) -> str:
    """Say why nothing is kept in a folder that is there; empty if it is used."""
    return _distrust(folder.stat())


def _close(folder: Path) -> None:
    """Let nobody else write a folder of this user; raises PermissionError if it is another's."""
    found = folder.stat()
    if _distrust(found) and found.st_uid == os.geteuid():
        folder.chmod(stat.S_IMODE(found.st_mode) & ~_OTHERS_WRITE)
        found = folder.stat()
    if why := _distrust(found):
        raise PermissionError(f"{why}: set PLYWIRE_CACHE_DIR to a folder of your own")


def _distrust(found: os.stat_result) -> str:
    """Say why a folder or a file cannot be trusted; empty if it can."""
    if os.name != "posix":
        return ""
    if found.st_uid not in {os.geteuid(), 0}:
        return "it belongs to another user"
    if found.st_mode & _OTHERS_WRITE:
        return "others may write it"
    return ""


def _checksum(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_CHECKSUM_BYTES).digest()
