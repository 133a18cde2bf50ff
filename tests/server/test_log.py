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
