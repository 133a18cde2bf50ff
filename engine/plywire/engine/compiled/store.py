"""A folder for machine code: each file is read exactly as it was written, or not at all.

Damaged files are removed and made again. If the folder cannot be written, every process makes its
own machine code. The environment variable PLYWIRE_CACHE_DIR moves the folder.

The code runs with the rights of the process that reads it. Therefore the folder and each file must
belong to the user or root, and nobody else may have write access.
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

#: Files that were unused for this many seconds are removed.
_KEPT_UNUSED = 14 * 24 * 3600
#: The minimum number of seconds between two updates of a file's time of use.
_NOTED_EVERY = 24 * 3600
_CHECKSUM_BYTES = 32
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_FOLDER = "kernels"


def cache_dir() -> Path | None:
    """Return the folder of the store; None if the user has no home."""
    chosen = os.environ.get("PLYWIRE_CACHE_DIR")
    folder = Path(chosen) if chosen else user_cache_path("plywire", appauthor=False)
    if not chosen and not folder.is_absolute():
        return None
    return folder / _FOLDER


class Store:
    """A folder of files; its methods never raise."""

    def __init__(self, path: Path | None) -> None:
        """Make the folder if possible; without a path or a trusted folder, keep nothing."""
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
        """Return the content of a file; if the file is damaged, remove it and return None."""
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
        """Write a file, or replace it as a whole; if the disk is full, write nothing."""
        if self.path is None:
            return
        part = self.path / f"{uuid.uuid4().hex}.part"
        try:
            part.touch(mode=0o600, exist_ok=False)
            part.write_bytes(_checksum(content) + content)
            part.replace(self.path / name)  # readers see a whole file, old or new
        except OSError as error:
            self.remove(part.name)
            self._warn(error)
        else:
            self._prune()

    def remove(self, name: str) -> None:
        if self.path is not None:
            with contextlib.suppress(OSError):
                (self.path / name).unlink()

    def _prune(self) -> None:
        """Remove files that were unused for long, and partial files of killed processes."""
        oldest = time.time() - _KEPT_UNUSED
        with contextlib.suppress(OSError):  # another process may remove the same file
            for file in () if self.path is None else self.path.iterdir():
                if file.stat().st_mtime < oldest:
                    file.unlink()

    def _warn(self, error: OSError) -> None:
        if not self._has_warned:
            self._has_warned = True
            log.warning("machine code is not kept: folder=%s: %s", self.path, error)


@cache
def store() -> Store:
    """Return the store of this user, made at the first call."""
    return Store(cache_dir())


def distrust(folder: Path) -> str:
    """Return why an existing folder is not used as the store; empty if it is used."""
    return _distrust(folder.stat())


def _close(folder: Path) -> None:
    """Remove other users' write access; raise PermissionError if the folder stays untrusted."""
    found = folder.stat()
    if _distrust(found) and found.st_uid == os.geteuid():
        folder.chmod(stat.S_IMODE(found.st_mode) & ~_OTHERS_WRITE)
        found = folder.stat()
    if why := _distrust(found):
        raise PermissionError(f"{why}: set PLYWIRE_CACHE_DIR to a folder of your own")


def _distrust(found: os.stat_result) -> str:
    if os.name != "posix":
        return ""
    if found.st_uid not in {os.geteuid(), 0}:
        return "it belongs to another user"
    if found.st_mode & _OTHERS_WRITE:
        return "others may write it"
    return ""


def _checksum(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_CHECKSUM_BYTES).digest()
