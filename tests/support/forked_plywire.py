"""`plywire` loaded once, for tests that call it many times: each call is a fork.

A start loads 300 modules, which takes far longer than what most commands do then. Signals end the
program that calls, not the fork: tests that send some start `plywire` itself.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import socket
import subprocess
import sys
import textwrap
from functools import cache
from pathlib import Path
from socketserver import BaseRequestHandler, ForkingMixIn, UnixStreamServer
from tempfile import TemporaryDirectory

from plywire.server.cli import COMMANDS, app, load_command


@cache
def forked_plywire() -> Path:
    """Make a program `plywire`, in a folder of its own, that works as long as this process runs."""
    folder = TemporaryDirectory()
    address, program = str(Path(folder.name, "socket")), Path(folder.name, "plywire")
    program.write_text(
        textwrap.dedent(f"""\
            #!{sys.executable} -IS
            import json, os, socket, sys
            with socket.socket(socket.AF_UNIX) as server:
                server.connect({address!r})
                socket.send_fds(server, [b"3"], [0, 1, 2])
                call = [sys.argv, os.getcwd(), dict(os.environ)]
                server.sendall(json.dumps(call).encode())
                server.shutdown(socket.SHUT_WR)
                sys.exit(int(server.recv(8)))
            """)
    )
    program.chmod(0o755)
    command = [sys.executable, "-m", __name__, address]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"

    @atexit.register
    def end() -> None:
        server.kill()
        server.communicate()
        folder.cleanup()

    return program


class _Server(ForkingMixIn, UnixStreamServer):
    """Forks for each call."""


class _Call(BaseRequestHandler):
    """Runs a call with its own files, folder and environment, and answers its exit status."""

    def handle(self) -> None:
        for number, file in enumerate(socket.recv_fds(self.request, 1, 3)[1]):
            os.dup2(file, number)
            os.close(file)
        sys.argv, folder, environment = json.load(self.request.makefile())
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        status = 0
        try:
            app(prog_name="plywire")
        except SystemExit as end:
            status = int(end.code or 0)
        sys.stdout.flush()
        self.request.sendall(str(status).encode())


if __name__ == "__main__":
    for name in COMMANDS:
        load_command(name)
    gc.freeze()  # a collection would copy what forks share
    with _Server(sys.argv[1], _Call) as server:
        print("ready", flush=True)
        server.serve_forever()
