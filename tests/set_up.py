"""Make the machine ready for the tests: `python -m tests.set_up`, which `make test` runs.

Brings the programs that tests drive, by the machine's own means. Meanwhile makes the machine code
that tests load, and compiles the tests: once, before several processes of tests would each begin
to. What cannot be brought is no error: the tests that need it are skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from tests.support.programs import CC, CHROMIUM, MOSQUITTO, Program

_PLAYWRIGHT = (sys.executable, "-m", "playwright")
#: Compiles the tests, whose assertions pytest rewrites.
_COLLECT = """
import contextlib, io, sys
import pytest
with contextlib.redirect_stdout(io.StringIO()):
    sys.exit(pytest.main(["--collect-only", "--quiet"]))
"""


def main() -> int:
    """Do all of it at once, and return the exit status."""
    with ThreadPoolExecutor(1) as bringing, ThreadPoolExecutor(os.cpu_count()) as compiling:
        brought = bringing.submit(bring, (CHROMIUM, MOSQUITTO, CC))
        # One process makes all machine code: each would load LLVM again.
        commands = [[sys.executable, "-m", "tests.kernels"], [sys.executable, "-c", _COLLECT]]
        compiled = list(compiling.map(succeeds_aloud, commands))
        brought.result()
    return 0 if all(compiled) else 1


def succeeds_aloud(command: Sequence[str]) -> bool:
    """Run a command, and let it say what it says."""
    return subprocess.run(command, check=False).returncode == 0


def bring(programs: Iterable[Program]) -> None:
    """Bring those that are missing: by the system, and a browser by Playwright otherwise."""
    if may_install() and not succeeds(*_PLAYWRIGHT, "--version"):
        install("libatomic1")  # which the driver of Playwright needs, and a small system lacks
    for program in programs:
        if program.find() is None and may_install():
            install(program.name)
    if CHROMIUM.find() is None:
        download_browser()


def download_browser() -> None:
    """Playwright's, with the system's libraries that it needs where they may be installed."""
    is_downloaded = succeeds(*_PLAYWRIGHT, "install", "--no-shell", "chromium")
    if is_downloaded and CHROMIUM.find() is None and may_install():
        succeeds(*_PLAYWRIGHT, "install-deps", "chromium")


def may_install() -> bool:
    """Whether the system's packages are Debian's and ours to install."""
    return shutil.which("apt-get") is not None and os.geteuid() == 0


def install(packages: str) -> None:
    """Install packages of Debian's."""
    update()
    succeeds("apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *packages.split())


@cache
def update() -> None:
    """Bring the list of packages, once."""
    succeeds("apt-get", "update", "--quiet")


def succeeds(*command: str) -> bool:
    """Run a command quietly, but for the end of what it says if it fails."""
    print("$", *command, flush=True)
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        check=False,
    )
    if done.returncode != 0:
        # Traces are indented; the error stands before them.
        last = [line for line in done.stdout.splitlines() if line[:1].strip()][-1:]
        print(f"{command[0]} failed:", *last, flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
