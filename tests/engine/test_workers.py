"""Processes that work for another."""

import subprocess
import sys

from tests.support.processes import killed_on_failure

_SCRIPT = """
import os, sys, time
from functools import partial
from plywire.engine.workers import workers

pool = workers(1, partial(print, flush=True), "begun", os.getpid())
print(pool.submit(abs, -7).result(), flush=True)
time.sleep(600)
"""


def test_workers_end_with_a_process_that_is_killed() -> None:
    command = [sys.executable, "-u", "-c", _SCRIPT]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    with process, killed_on_failure(process):
        assert process.stdout is not None
        assert process.stdout.readline() == f"begun {process.pid}\n"
        assert process.stdout.readline() == "7\n"
        process.kill()
        # The worker has the same standard output: it ends when both have let go of it.
        assert process.stdout.read() == ""
