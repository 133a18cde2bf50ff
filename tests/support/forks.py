"""Programs whose modules are loaded once, for tests that start them many times: each is a fork.

A start of `plywire` loads 300 modules, which takes far longer than what most commands do then.
Signals end the caller of a fork, not the fork: tests that send some start a process of their own.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import socket
import subprocess
import sys
import textwrap
from functools import cache
from pathlib import Path
from socketserver import BaseRequestHandler, ForkingMixIn, UnixStreamServer
from tempfile import TemporaryDirectory

from plywire.server.cli import COMMANDS, app, load_command


def forked(name: str) -> str:
    """Return the program `plywire`, or a `python` that runs a script or the code after `-c`."""
    return str(forks() / name)


@cache
def forks() -> Path:
    """Return a folder with these programs, which work as long as this process runs."""
    folder = TemporaryDirectory()
    address = str(Path(folder.name, "socket"))
    for name in ("plywire", "python"):
        program = Path(folder.name, name)
        program.write_text(
            textwrap.dedent(f"""\
                #!{sys.executable} -IS
                import json, os, socket, sys
                with socket.socket(socket.AF_UNIX) as server:
                    server.connect({address!r})
                    socket.send_fds(server, [b"3"], [0, 1, 2])
                    call = [{name!r}, sys.argv[1:], os.getcwd(), dict(os.environ)]
                    server.sendall(json.dumps(call).encode())
                    server.shutdown(socket.SHUT_WR)
                    sys.exit(int(server.recv(8) or 1))
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

    return Path(folder.name)


class _Server(ForkingMixIn, UnixStreamServer):
    """Forks for each call, until the process that started it is gone."""

    _parent = os.getppid()

    def service_actions(self) -> None:
        super().service_actions()
        if os.getppid() != self._parent:
            raise SystemExit


class _Call(BaseRequestHandler):
    """Runs a call with its own files, folder and environment, and answers its exit status."""

    def handle(self) -> None:
        for number, file in enumerate(socket.recv_fds(self.request, 1, 3)[1]):
            os.dup2(file, number)
            os.close(file)
        name, arguments, folder, environment = json.load(self.request.makefile())
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        self.request.sendall(str(_run(name, arguments)).encode())


def _run(name: str, arguments: list[str]) -> int:
    sys.argv = [name, *arguments]
    try:
        if name == "plywire":
            app(prog_name=name)
        elif arguments[0] == "-c":
            exec(arguments[1], {"__name__": "__main__"})
        else:
            sys.argv = arguments
            sys.path[0] = str(Path(arguments[0]).parent)
            runpy.run_path(arguments[0], run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            return 1
        return int(end.code or 0)
    finally:
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    for name in COMMANDS:
        load_command(name)
    gc.freeze()  # a collection would copy what forks share
    with _Server(sys.argv[1], _Call) as server:
        print("ready", flush=True)
        server.serve_forever()
