"""The lines of the log."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator

import pytest

from plywire.server.log import configure


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    logger, websockets = logging.getLogger("plywire"), logging.getLogger("websockets")
    before = (logger.handlers, logger.level, logger.propagate, websockets.level)
    yield
    logger.handlers, logger.level, logger.propagate, websockets.level = before


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone cannot be set")
@pytest.mark.parametrize(
    ("zone", "time_told"),
    [("UTC0", "2026-11-27T00:39:49+00:00"), ("IST-5:30", "2026-11-27T06:09:49+05:30")],
)
def test_times_have_the_offset_of_their_zone(
    zone: str, time_told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patched:
        patched.setenv("TZ", zone)
        time.tzset()
        configure("info")
        record = logging.makeLogRecord(
            {
                "name": "plywire.server.serve",
                "levelname": "INFO",
                "levelno": logging.INFO,
                "msg": "draining sessions=%d",
                "args": (3,),
                "created": 1795739989.9,
            }
        )
        logging.getLogger("plywire.server.serve").handle(record)
    time.tzset()
    assert capsys.readouterr().err == f"{time_told} INFO    draining sessions=3\n"


@pytest.mark.parametrize(("level", "lines"), [("info", 1), ("debug", 2)])
def test_that_compiling_goes_on_is_told_at_debug_only(
    level: str, lines: int, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(level)
    log = logging.getLogger("plywire.server.searching.warmup")
    log.info("compiling game=%s size=%s seconds=%.0f", "othello", "8x8", 3)
    log.info("ready game=%s size=%s seconds=%.1f", "othello", "8x8", 4.2)
    told = capsys.readouterr().err.splitlines()
    assert len(told) == lines
    assert told[-1].endswith("INFO    ready game=othello size=8x8 seconds=4.2")
