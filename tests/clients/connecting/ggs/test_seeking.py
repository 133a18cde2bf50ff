"""What is asked for, and which requests of others are accepted."""

from __future__ import annotations

import asyncio

import pytest

from plywire.clients.connecting.ggs.acceptance import Acceptance
from plywire.clients.connecting.ggs.ask import Ask
from tests.support.ggs_bots import Make, playing_on
from tests.support.ggs_server import FakeGgs
from tests.support.until import until


@pytest.mark.parametrize("text", ["", "8", "8 5 bob x", "9x 5", "8 x"])
def test_what_to_ask_for(text: str) -> None:
    with pytest.raises(ValueError, match="write"):
        Ask.parse(text)


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("ask 8 05:00//02:00 ann", "accept"),
        ("ask 10 05:00//02:00 ann", "decline"),
        ("ask 8k 05:00//02:00 ann", "decline"),
        ("ask 8 00:01//02:00 ann", "decline"),
        ("ask 8 05:00//02:00", "accept"),
    ],
)
async def test_requests_are_accepted_by_rules(
    ggs: FakeGgs, make: Make, request_: str, answer: str
) -> None:
    ann = make("ann", objection=Acceptance(initial=(60, 900)).objection)
    async with playing_on(ann):
        reader, writer = await asyncio.open_connection("127.0.0.1", ggs.port)
        writer.write(b"carl\nsecret\ntell /os open 1\n")
        await until(lambda: "tell /os open 1" in ggs.commands("ann") and "carl" in ggs.peers)
        writer.write(f"tell /os {request_}\n".encode())
        await until(lambda: any(f"/os {answer} " in text for text in ggs.commands("ann")))
        writer.close()
    assert reader is not None
