"""The engine on the standard input and output: one session, for the program that started it."""

from plywire.engine import registry

from .searching.search_pool import SearchPool
from .sessions.peer_loop import PeerLoop
from .sessions.session import Session
from .settings import Settings
from .transports.stdio import StdioTransport


async def serve_stdio(settings: Settings) -> None:
    """Serve the program on the standard input and output until it leaves.

    The program is the user's own, so its messages, silence and threads are not limited. Raises
    RulesError if the game in the settings is unknown.
    """
    own = settings.model_copy(
        update={
            "messages_per_second": 0.0,
            "idle_time": 0.0,
            "first_message_time": 0.0,
            "max_session_threads": settings.threads,
        }
    )
    game = registry.load(own.game)
    pool = SearchPool(own.threads, longest=own.max_think_time)
    await pool.warmer.load_kept([game])
    session = Session(own, pool, is_patient=True)
    try:
        await PeerLoop(StdioTransport(), session, own).run()
    finally:
        await pool.close()
