"""The weights in memory, which kernels know by their address alone."""

import threading
from functools import cache
from pathlib import Path

import pytest
from numpy.typing import NDArray

from plywire.engine.othello.evaluation import weights
from plywire.engine.othello.evaluation.weights import Weights, shipped_tables

#: Only a thread that hangs takes as long as this, in seconds.
PATIENCE = 60


def test_threads_that_ask_first_at_once_get_the_same_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shipped = Weights.load(weights.SHIPPED)
    loading, loading_twice, go_on = threading.Event(), threading.Event(), threading.Event()

    def load(path: Path) -> Weights:
        (loading_twice if loading.is_set() else loading).set()
        assert go_on.wait(PATIENCE)
        return shipped

    # Other tests' kernels may know the tables that were loaded already: those stay.
    load_once = cache(weights._load_shipped.__wrapped__)
    monkeypatch.setattr(weights, "_load_shipped", load_once)
    monkeypatch.setattr(Weights, "load", load)
    found: list[NDArray] = []
    threads = [threading.Thread(target=lambda: found.append(shipped_tables())) for _ in range(2)]
    try:
        threads[0].start()
        assert loading.wait(PATIENCE)
        threads[1].start()
        assert not loading_twice.wait(0.2)
    finally:
        go_on.set()
        for thread in threads:
            thread.join(PATIENCE)
    assert found[0] is found[1] is shipped_tables()
