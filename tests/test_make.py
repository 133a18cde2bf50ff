"""The Makefile: what its targets do, and how they are listed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="no make")


def make(*arguments: str) -> list[str]:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PORT", "WEBSOCKET_PORT", "MAKEFLAGS", "MAKELEVEL")
    }
    done = subprocess.run(
        ["make", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("given", "flags"),
    [
        ([], []),
        (["PORT=8000"], ["--port", "8000", "--websocket-port", "8001"]),
        (["PORT=0"], ["--port", "0", "--websocket-port", "0"]),
        (["WEBSOCKET_PORT=9000"], ["--websocket-port", "9000"]),
        (["PORT=8000", "WEBSOCKET_PORT=0"], ["--port", "8000", "--websocket-port", "0"]),
    ],
)
def test_serve_is_the_default_and_the_page_is_beside_the_port_of_lines(
    given: list[str], flags: list[str]
) -> None:
    for target in ([], ["serve"]):
        assert make("--dry-run", *target, *given)[-1].split() == [
            ".venv/bin/plywire",
            "serve",
            *flags,
        ]


def test_help_lists_every_target() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    (phony,) = re.findall(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    listed = re.findall(r"^make (\S+)", "\n".join(make("help")), re.MULTILINE)
    assert sorted(listed) == sorted(phony.split())
