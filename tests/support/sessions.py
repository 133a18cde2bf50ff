"""Commands as pages show them, run as one session at a prompt beside a server."""

import asyncio
import os
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from plywire.server.serve import Server
from tests.support.forks import forks

ROOT = Path(__file__).parents[2]
#: Printed after each command.
_MARK = "--- done ---"


async def run_session(commands: Sequence[str], server: Server, folder: Path) -> list[str]:
    """What each command prints in a folder, where it finds `examples/` and the server's ports.

    One that ends in ` &` goes on beside the next. Raises AssertionError if one fails.
    """
    ends = ("\n" if command.endswith("&") else "\nwait\n" for command in commands)
    script = "".join(
        f"{command}{end}echo {_MARK}\n" for command, end in zip(commands, ends, strict=True)
    )
    for port, address in ((7590, server.tcp_address), (7591, server.websocket_address)):
        script = script.replace(f"127.0.0.1:{port}", f"127.0.0.1:{address[1]}")
        script = script.replace(f"127.0.0.1 {port}", f"127.0.0.1 {address[1]}")
    (folder / "examples").symlink_to(ROOT / "examples")
    _make_netcat(folder / "nc")
    tools = map(str, (forks(), Path(sys.executable).parent, folder))
    process = await asyncio.create_subprocess_exec(
        "bash",
        "-c",
        f"set -e -o pipefail\n{script}",
        cwd=folder,
        env=os.environ | {"PATH": os.pathsep.join([*tools, os.environ["PATH"]])},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    text = output.decode()
    assert process.returncode == 0, text
    *outputs, rest = text.split(f"{_MARK}\n")
    assert (len(outputs), rest) == (len(commands), "")
    return outputs


def _make_netcat(program: Path) -> None:
    """For machines without one."""
    script = f"""\
        #!{sys.executable}
        import shutil, socket, sys, threading
        peer = socket.create_connection((sys.argv[1], int(sys.argv[2])))
        lines, out = peer.makefile("rb"), sys.stdout.buffer
        reader = threading.Thread(target=shutil.copyfileobj, args=(lines, out))
        reader.start()
        for line in sys.stdin.buffer:
            peer.sendall(line)
        reader.join()
        lines.close()
        peer.close()
        """
    program.write_text(textwrap.dedent(script))
    program.chmod(0o755)
