"""The transcripts of the protocol's pages, played to a real session."""

import pytest

from tests.support.peers import TRANSPORTS, connected
from tests.support.transcripts import ScriptedPeer, Transcript, transcripts


@pytest.mark.parametrize("transport", [name for name in TRANSPORTS if name != "stdio"])
@pytest.mark.parametrize("transcript", transcripts(), ids=lambda transcript: transcript.title)
async def test_what_is_written_is_what_happens(transport: str, transcript: Transcript) -> None:
    async with connected(transport) as peer:
        script = ScriptedPeer(transcript)
        while not script.is_done:
            if (said := script.says()) is not None:
                await peer.say(said)
            else:
                heard = await peer.hear()
                assert heard is not None
                script.hears(heard)
