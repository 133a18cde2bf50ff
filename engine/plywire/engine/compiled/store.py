"""Where machine code is kept: files that are read as they were written or not at all.

Each begins with a checksum of the rest: one that was cut off, or of which a bit is wrong, is thrown
away and made again. Where nothing can be written, all is made anew in every process: what is kept
is never more than a shortcut, and no fault of a disk keeps a kernel from running. The folder is the
user's own, which also serves read-only installs; the environment variable PLYWIRE_CACHE_DIR moves
it.
"""

import contextlib
import hashlib
import logging
import os
import time
import uuid
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

log = logging.getLogger(__name__)

#: What was not used for so long is thrown away, in seconds.
_KEPT_UNUSED = 14 * 24 * 3600
#: A file's time of use is noted this often at the most, in seconds.
_NOTED_EVERY = 24 * 3600
_CHECKSUM_BYTES = 32
_FOLDER = "kernels"


def cache_dir() -> Path | None:
    """The folder of what is kept; None if the user has none."""
    chosen = os.environ.get("PLYWIRE_CACHE_DIR")
    folder = Path(chosen) if chosen else user_cache_path("plywire", appauthor=False)
    if not chosen and not folder.is_absolute():  # the user has no home
        return None
    return folder / _FOLDER


class Store:
    """A folder of files; never raises."""

    def __init__(self, path: Path | None) -> None:
        """Make the folder, where that can be done; without a path nothing is kept."""
        self.path = path
        self._has_warned = False
        if path is None:
            return
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._warn(error)

    def read(self, name: str) -> bytes | None:
        """What was written under a name; None, and the file removed, if it is not as it was."""
        if self.path is None:
            return None
        file = self.path / name
        try:
            data = file.read_bytes()
        except OSError:
            return None
        content = data[_CHECKSUM_BYTES:]
        if data[:_CHECKSUM_BYTES] != _checksum(content):
            log.warning("damaged file=%s: making it again", file)
            self.remove(name)
            return None
        with contextlib.suppress(OSError):
            if file.stat().st_mtime < time.time() - _NOTED_EVERY:
                os.utime(file)
        return content

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
        else:
            self._prune()

    def remove(self, name: str) -> None:
        """Remove a file, if it is there and can be removed."""
        if self.path is not None:
            with contextlib.suppress(OSError):
                (self.path / name).unlink()

    def _prune(self) -> None:
        """Remove what was not used for long, parts that a killed process left included."""
        oldest = time.time() - _KEPT_UNUSED
        with contextlib.suppress(OSError):  # another process may be removing it too
            for file in () if self.path is None else self.path.iterdir():
                if file.stat().st_mtime < oldest:
                    file.unlink()

    def _warn(self, error: OSError) -> None:
        if not self._has_warned:
            self._has_warned = True
            log.warning("machine code is not kept: cannot write folder=%s: %s", self.path, error)


@cache
def store() -> Store:
    """The store of this user."""
    return Store(cache_dir())


def _checksum(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_CHECKSUM_BYTES).digest()
