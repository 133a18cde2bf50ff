"""The pages about Python show programs that run as they stand."""

import asyncio
import re
import sys
from pathlib import Path

import pytest

from plywire.server.serve import Server
from plywire.server.settings import Settings

HOW_TO = Path(__file__).parents[1] / "docs" / "how-to"
PAGES = "".join((HOW_TO / name).read_text("utf-8") for name in ("python.md", "own-player.md"))
BLOCKS = re.findall(r"^```python(?: (\S+))?\n(.*?)^```$", PAGES, re.MULTILINE | re.DOTALL)
FILES = {name: text for name, text in BLOCKS if name}
#: What each block prints.
PROGRAMS = {
    "board.pop()": r"\['c3', 'e3', 'c5'\]\n1 (?s:.*)False None$",
    "SimpleEngine() as engine": r"over=True (?s:.*)\n8 kind='cp'(?s:.*)\n8 kind='cp'[^\n]*$",
    'Engine("engine:threads=2")': r"kind='draw'",
    "class Hasty": "^$",
    "serve_ugi": None,  # the command of the page that follows runs it
    "play_match": r"^\d+ \d+ \d+$",
    "connect(url)": "6 kind=",
}


@pytest.mark.parametrize("text", [text for _, text in BLOCKS])
async def test_blocks(text: str, tmp_path: Path) -> None:
    (expected,) = (printed for part, printed in PROGRAMS.items() if part in text)
    if expected is None:
        return
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    async with Server(Settings(port=0, websocket_port=0, warmup=False)) as server:
        text = text.replace("127.0.0.1:7591", f"127.0.0.1:{server.websocket_address[1]}")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-W", "error", "-c", text),
            cwd=tmp_path,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await process.communicate()
    assert process.returncode == 0, out.decode()
    assert re.search(expected, out.decode().strip()), out.decode()
