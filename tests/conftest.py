"""What all tests share."""

import gc
import os
import signal
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from plywire.engine.engine import LocalEngine
from plywire.engine.limits import SearchLimits
from plywire.engine.readiness import prepare
from plywire.engine.registry import load
from plywire.server.arena.store.accounts import Accounts, accounts_of
from plywire.server.serve import Server
from plywire.server.settings import Settings
from tests.support.programs import closing
from tools.paths import ROOT, make_importable

# Examples have no deadline: the first one may have to load kernels, and machines are busy.
# CI tries as many as hypothesis would by itself, others a quarter of them.
settings.register_profile("plywire", deadline=None, max_examples=25)
settings.register_profile("plywire-ci", deadline=None)
settings.load_profile("plywire-ci" if os.environ.get("CI") == "true" else "plywire")


#: Modules in place of some that users do not have.
_HIDDEN = Path(__file__).parent / "support" / "hidden"


def pytest_configure() -> None:
    """Have the processes that tests start hear Ctrl-C and find what those of users do.

    Shells have what they run in the background ignore Ctrl-C, which children inherit.
    """
    path = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if str(_HIDDEN) not in path:
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(_HIDDEN), *path]))
    # Workers of Dask fork from a process that has loaded it.
    os.environ["DASK_DISTRIBUTED__WORKER__MULTIPROCESSING_METHOD"] = "forkserver"
    make_importable(ROOT)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.disable()


def pytest_collection_finish() -> None:
    """Look for garbage from now on; modules and tests are none, and took a fifth of their time."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: many tests wait, for a process or for a time to pass."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(scope="session")
def searched_games() -> None:
    """Search each game once: later searches need nothing that takes time to prepare or load."""
    for name in ("connect4", "othello", "tictactoe"):
        prepare(load(name))
        LocalEngine(hash_mb=1).analyse(load(name).start(), SearchLimits(depth=2))


@pytest.fixture
async def arena(tmp_path: Path) -> AsyncIterator[Server]:
    """A server with an arena in the folder of the test."""
    settings = Settings(port=0, websocket_port=0, warmup=False, arena=tmp_path)
    async with Server(settings) as server:
        yield server


@pytest.fixture
def accounts(tmp_path: Path) -> Accounts:
    """Those of `arena`."""
    return accounts_of(tmp_path)


@pytest.fixture(scope="module")
def dask_sockets() -> Iterator[None]:
    """Sees to sockets that Dask leaves unclosed when a scheduler or a worker is lost.

    Who uses this ignores the warnings; what is left would warn in a later test.
    """
    yield
    gc.collect()


@pytest.hookimpl(wrapper=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter,
) -> Generator[None, None, None]:
    """Close with what was skipped for want of a program."""
    yield
    skipped = terminalreporter.getreports("skipped")
    if (text := closing(report.longrepr[2] for report in skipped)) is not None:
        terminalreporter.line(f"\n{text}")
