"""The folder of an arena, private to its owner because it holds digests of tokens."""

import logging
import os
import stat
from pathlib import Path

log = logging.getLogger(__name__)

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_DATABASES = "*.sqlite*"


def open_folder(folder: Path) -> None:
    """Create the folder if need be, and make it private to its owner.

    Raises OSError if that fails. Raises it also if the folder holds other files and other users can
    read the folder.
    """
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name != "posix":
        return
    databases = list(folder.glob(_DATABASES))
    if _mode(folder) & _OTHERS and not databases and any(folder.iterdir()):
        raise PermissionError(
            f"{folder} is open to others (mode {_mode(folder):04o}) and holds other things:"
            f" give the arena a folder of its own, or close this one by chmod 700 {folder}"
        )
    for path in (folder, *databases):
        try:
            _close(path)
        except FileNotFoundError:  # SQLite may have removed one of its own files.
            continue


def make_file(path: Path) -> None:
    """Create a file if need be, with at most the permissions of its folder."""
    if not path.exists():
        path.touch(mode=_mode(path.parent) & 0o666)


def _close(path: Path) -> None:
    mode = _mode(path)
    if not mode & _OTHERS:
        return
    try:
        path.chmod(mode & ~_OTHERS)
    except PermissionError:
        raise PermissionError(
            f"{path} is open to others (mode {mode:04o}) and not yours to close"
        ) from None
    log.warning("closed to others path=%s mode=%04o", path, mode)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)
