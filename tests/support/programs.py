"""The programs that tests drive: a browser, an MQTT broker, a C compiler and Node.

`tests/set_up.py` brings those that are missing. A test that has to do without is skipped, which
the last lines of the run tell; with `CI=true` it fails.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import playwright
import pytest

#: Comes before the name of a program in the reason why a test is skipped.
_WANTS = "for want of "


@dataclass(frozen=True)
class Program:
    """A program, by the names of its packages in Debian."""

    name: str
    find: Callable[[], str | None]
    """Where it is on this machine."""

    def path(self) -> str:
        """Where it is; without it, the test that asks is skipped, and fails with `CI=true`."""
        found = self.find()
        if found is not None:
            return found
        if os.environ.get("CI") == "true":
            pytest.fail(f"{_WANTS}{self.name}; {_advice([self.name])}", pytrace=False)
        pytest.skip(f"{_WANTS}{self.name}")


def closing(reasons: Iterable[str]) -> str | None:
    """What is said at the end about tests that were skipped for want of a program, if any were."""
    wants = Counter(reason.partition(_WANTS)[2] for reason in reasons if _WANTS in reason)
    if not wants:
        return None
    each = ", ".join(f"{count} {_WANTS}{name}" for name, count in sorted(wants.items()))
    return (
        f"Tests skipped: {wants.total()} ({each}). This machine lacks these programs, and"
        f" `make test` had no means to bring them. {_advice(sorted(wants))}."
    )


def _advice(names: Iterable[str]) -> str:
    return f"`sudo apt-get install {' '.join(names)}`, or your system's way, brings what is missing"


def _find_chromium() -> str | None:
    """`$PLYWIRE_CHROMIUM`, or one of the usual names on the path, or Playwright's download."""
    # The first has no windows, and takes two thirds of the time of the others.
    names = (
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    )
    chosen = os.environ.get("PLYWIRE_CHROMIUM")
    return chosen or next(filter(None, map(shutil.which, names)), None) or _find_downloaded()


def _find_downloaded() -> str | None:
    """The browser that `playwright install` brought, if this system has all libraries it needs."""
    # Asked in a process of its own: this API cannot be used beside a running event loop.
    code = (
        "from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as playwright: print(playwright.chromium.executable_path)"
    )
    path = _output(sys.executable, "-c", code)
    return path if path and Path(path).exists() and _output(path, "--version") else None


def _output(*command: str) -> str:
    """What a command prints, nothing if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def _find_mosquitto() -> str | None:
    # Debian keeps it where only root's path leads.
    return shutil.which("mosquitto", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")


CHROMIUM = Program("chromium-headless-shell", _find_chromium)
MOSQUITTO = Program("mosquitto", _find_mosquitto)
CC = Program("gcc libc6-dev", lambda: shutil.which("cc"))
#: Playwright brings its own, which is newer than that of many systems.
NODE = Path(playwright.__file__).parent / "driver" / f"node{'.exe' * (sys.platform == 'win32')}"
