"""What docs/python.md shows runs as it stands, and all of its commands."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest

from plywire.server.serve import Server
from plywire.server.settings import Settings

PAGE = (Path(__file__).parents[1] / "docs" / "python.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
FILES = {name: text for _, name, text in BLOCKS if name}
#: What each block prints.
PROGRAMS = {
    "board.pop()": r"\['c3', 'e3', 'c5'\]\n1 (?s:.*)False None$",
    "SimpleEngine() as engine": r"over=True (?s:.*)\n8 kind='cp'(?s:.*)\n8 kind='cp'[^\n]*$",
    'Engine("engine:threads=2")': r"kind='draw'",
    "class Hasty": "^$",
    "serve_ugi": None,
    "play_match": r"^\d+ \d+ \d+$",
    "connect(url)": "6 kind=",
    "plywire match": "Elo",
}


@pytest.mark.parametrize("block", [(kind, text) for kind, _, text in BLOCKS])
async def test_blocks(block: tuple[str, str], tmp_path: Path) -> None:
    kind, text = block
    (expected,) = (printed for part, printed in PROGRAMS.items() if part in text)
    if expected is None:
        return  # the command that follows runs it
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    async with Server(Settings(port=0, websocket_port=0, warmup=False)) as server:
        text = text.replace("127.0.0.1:7591", f"127.0.0.1:{server.websocket_address[1]}")
        command = [sys.executable, "-W", "error", "-c", text]
        if kind == "console":
            command = ["bash", "-c", text.removeprefix("$ ")]
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=tmp_path,
            env=os.environ | {"PATH": path},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await process.communicate()
    assert process.returncode == 0, out.decode()
    assert re.search(expected, out.decode().strip()), out.decode()
