import pytest
from websockets.asyncio.server import ServerConnection, serve

from plywire.clients.connecting.transports.open import open_transport


async def test_why_a_server_hung_up_is_told_without_escape_sequences() -> None:
    async def hang_up(connection: ServerConnection) -> None:
        await connection.close(1008, "\x1b[2Jenough\u202e")

    async with serve(hang_up, "127.0.0.1", 0) as server:
        host, port = next(iter(server.sockets)).getsockname()
        transport = await open_transport(f"ws://{host}:{port}")
        assert await transport.read() == b""
        with pytest.raises(ConnectionResetError, match=r" \[2Jenough ") as caught:
            await transport.write(["ping"])
        assert str(caught.value).isprintable()
        await transport.close()
