"""The process of a server: its signals, its log lines and its collection of garbage."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from plywire.clients.connecting.transports.url import without_password

from .serve import Server
from .settings import Settings
from .transports import descriptors
from .transports.addresses import Listening, exposure

log = logging.getLogger(__name__)

#: Thresholds of `gc.set_threshold`. They make collections of all objects rare, because one halts
#: thousands of clients for 0.1 s. `FreedMemory` collects the objects of clients that have left.
_COLLECT_AFTER = (10_000, 10, 20)


@contextmanager
def until_signalled() -> Iterator[asyncio.Event]:
    """Yield an event that SIGTERM and SIGINT set."""
    signalled = asyncio.Event()
    loop = asyncio.get_running_loop()
    signals = (signal.SIGTERM, signal.SIGINT)
    before = {number: signal.getsignal(number) for number in signals}
    # `loop.add_signal_handler` is missing on Windows.
    for number in signals:
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(signalled.set))
    try:
        yield signalled
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _tell(addresses: Listening) -> None:
    if sys.stderr.isatty() and log.isEnabledFor(logging.INFO):
        print(*addresses.for_people(), sep="\n", file=sys.stderr)
    else:
        for line in addresses.for_logs():
            log.info(line)


async def serve(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT, then drain; raises OSError or StoreError like `Server`."""
    descriptors.raise_limit()
    asyncio.get_running_loop().set_exception_handler(descriptors.Complaints())
    with until_signalled() as signalled:
        async with Server(settings) as server:
            gc.freeze()
            gc.set_threshold(*_COLLECT_AFTER)
            gc.enable()
            _tell(Listening.at(settings, server.tcp_address, server.websocket_address))
            if (meaning := exposure(settings)) is not None:
                log.warning(meaning)
            if server.broker is not None:
                log.info("listening broker=%s", without_password(str(await server.broker.url())))
            await signalled.wait()
            log.info("draining sessions=%d", server.sessions)
    log.info("stopped")
