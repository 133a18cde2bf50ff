"""Searches by the workers of a Dask cluster, and what becomes of them when it dies."""

from __future__ import annotations

import asyncio
import os
import pickle
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

from plywire.engine import registry
from plywire.engine.analysis import AnalysisLine
from plywire.engine.engine import LocalEngine
from plywire.engine.limits import ClockTimes, SearchLimits
from plywire.engine.readiness import prepare
from plywire.server.searching.cluster import Cluster
from plywire.server.searching.search_pool import SearchPool
from plywire.server.serve import Server
from tests.support.fake_engine import FakeEngine, FakeWarmer
from tests.support.peers import TcpPeer, hear_until, settings
from tests.support.until import until

from .remote_engines import Dying, Failing, Silent, Teller

pytestmark = [
    pytest.mark.usefixtures("dask_sockets"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]

START = registry.load("tictactoe").start()


@contextmanager
def dask(port: int = 0) -> Iterator[LocalCluster]:
    """A scheduler and a worker process."""
    with LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        scheduler_port=port,
    ) as running:
        yield running


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with dask() as running:
        yield running.scheduler_address


@asynccontextmanager
async def taken(address: str) -> AsyncIterator[SearchPool]:
    """A pool whose only thread is taken, with a cluster that is there."""
    async with Cluster(address) as cluster:
        pool = SearchPool(1, longest=60, warmer=FakeWarmer(), cluster=cluster)  # type: ignore[arg-type]
        deaf = FakeEngine(is_deaf=True)
        try:
            await until(lambda: cluster.takes(60))
            pool.submit(deaf, START, SearchLimits(depth=1), lambda info: None)  # type: ignore[arg-type]
            yield pool
        finally:
            deaf.released.set()
            await pool.close()


async def test_a_long_search_that_finds_no_thread_is_sent(address: str, tmp_path: Path) -> None:
    infos: list[AnalysisLine] = []
    async with taken(address) as pool:
        engine = Teller(tmp_path / "mark")
        search = pool.submit(engine, START, SearchLimits(movetime=4000), infos.append)  # type: ignore[arg-type]
        await until(lambda: infos)
        assert not search.answer.done()
        answer = await search.answer
    assert answer.best == START.moves()[-1]
    assert [info.nodes for info in infos] != [os.getpid()]


@pytest.mark.parametrize(
    "limits", [SearchLimits(movetime=9000), SearchLimits(depth=9), SearchLimits(nodes=10**9)]
)
async def test_a_search_that_asks_for_no_long_time_is_not_sent(
    address: str, tmp_path: Path, limits: SearchLimits
) -> None:
    infos: list[AnalysisLine] = []
    async with taken(address) as pool:
        pool._cluster._way = 1.0  # type: ignore[union-attr]
        search = pool.submit(Teller(tmp_path / "mark"), START, limits, infos.append)  # type: ignore[arg-type]
        pool.stop(search)
        await search.answer
    assert {info.nodes for info in infos} <= {os.getpid()}


async def test_stop_answers_at_once_and_reaches_the_worker(address: str, tmp_path: Path) -> None:
    infos: list[AnalysisLine] = []
    async with taken(address) as pool:
        engine = Teller(tmp_path / "mark")
        search = pool.submit(engine, START, SearchLimits(infinite=True), infos.append)  # type: ignore[arg-type]
        await until(lambda: infos)
        pool.stop(search)
        assert (await search.answer).best == START.moves()[-1]
        await until((tmp_path / "mark").exists)
    assert infos[0].nodes != os.getpid()
    assert (tmp_path / "mark").read_text() == "stopped"


async def is_searched_here(kind: type[Teller], address: str, folder: Path) -> None:
    """See that an engine's search is lost and goes on in this process."""
    infos: list[AnalysisLine] = []
    async with taken(address) as pool:
        engine = kind(folder / "mark")
        search = pool.submit(engine, START, SearchLimits(movetime=30_000), infos.append)  # type: ignore[arg-type]
        assert search in pool._sent
        await until(lambda: search not in pool._sent)
        assert not search.answer.done()
        pool.stop(search)
        assert (await search.answer).lines
    assert [info.nodes for info in infos] == [os.getpid()]


@pytest.mark.parametrize("kind", [Silent, Failing])
async def test_a_search_that_is_lost_goes_on_here(
    kind: type[Teller], address: str, tmp_path: Path
) -> None:
    await is_searched_here(kind, address, tmp_path)


async def test_a_search_whose_workers_die_goes_on_here(tmp_path: Path) -> None:
    with dask() as running:
        died = set(running.scheduler.workers)
        await is_searched_here(Dying, running.scheduler_address, tmp_path)
        # A cluster cannot be closed while it starts a worker in place of one that died.
        await until(lambda: set(running.scheduler.workers) - died)


async def test_a_scheduler_that_dies_costs_no_search_and_is_found_again(tmp_path: Path) -> None:
    infos: list[AnalysisLine] = []
    with dask() as running:
        address = running.scheduler_address
        async with taken(address) as pool:
            engine = Teller(tmp_path / "mark")
            search = pool.submit(engine, START, SearchLimits(infinite=True), infos.append)  # type: ignore[arg-type]
            await until(lambda: infos)
            await asyncio.to_thread(running.close)
            await until(lambda: search not in pool._sent)
            assert not search.answer.done()
            pool.stop(search)
            assert (await search.answer).best == START.moves()[-1]
            with dask(int(address.rpartition(":")[2])):
                await until(lambda: pool._cluster.takes(60))  # type: ignore[union-attr]


async def test_peers_are_searched_for_by_workers(address: str) -> None:
    game = registry.load("othello")
    with Client(address, set_as_default=False) as client:
        client.run(prepare, game)
    options = settings(cluster=address, threads=1, game="othello")
    async with Server(options) as server:
        await server._pool.warmer.request(game)
        await until(lambda: server._pool._cluster.takes(60))  # type: ignore[union-attr]
        here, there = await TcpPeer.connect(server), await TcpPeer.connect(server)
        await here.say("go infinite")
        await hear_until(here, "info")
        await there.say("setoption book 0")
        await there.say("go movetime 60000")
        await until(lambda: server._pool._sent)
        await hear_until(there, "info")
        for peer in (there, here):
            await peer.say("stop")
            await hear_until(peer, "bestmove")
        await here.leave()
        await there.leave()


def test_an_engine_travels_without_what_it_learnt() -> None:
    engine = LocalEngine(hash_mb=8, threads=2, book=False)
    engine.analyse(START, SearchLimits(depth=3))
    copy = pickle.loads(pickle.dumps(engine))
    assert (copy.hash_mb, copy.threads) == (8, 2)
    assert len(pickle.dumps(copy)) < 1000
    assert copy.analyse(START, SearchLimits(clock=ClockTimes(50, 50))).best is not None
