from collections.abc import AsyncIterator

import pytest

from plywire.clients import Backoff, Client, connect
from plywire.server.serve import Server
from plywire.server.settings import Settings
from tests.support.proxy import Proxy

#: Tries again at once.
AT_ONCE = Backoff(attempts=5, first=0)


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    settings = Settings(port=0, websocket_port=0, warmup=False, log_level="error")
    async with Server(settings) as server:
        yield server


@pytest.fixture(params=["tcp", "ws"])
def scheme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def proxy(server: Server, scheme: str) -> AsyncIterator[Proxy]:
    address = server.tcp_address if scheme == "tcp" else server.websocket_address
    async with Proxy(*address) as proxy:
        yield proxy


@pytest.fixture
async def game(proxy: Proxy, scheme: str) -> AsyncIterator[Client]:
    async with connect(f"{scheme}://127.0.0.1:{proxy.port}", backoff=AT_ONCE) as game:
        yield game
