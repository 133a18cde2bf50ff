"""What watchers are told, in the native dialect: JSON after a word, for it is made for programs."""

from pydantic import ValidationError

from plywire.protocol.dialects.words import Words, syntax
from plywire.protocol.messages.events import Event
from plywire.protocol.messages.feed_events import FEED_EVENT, FEED_EVENTS, FeedEvent


def write_feed_event(event: FeedEvent) -> str:
    """The line for an event of the feed."""
    return f"feed {event.model_dump_json(exclude_none=True, ensure_ascii=True)}"


def read_feed_event(rest: Words) -> Event:
    """The event of such a line."""
    try:
        return FEED_EVENT.validate_json(" ".join(rest), strict=True)
    except ValidationError:
        kinds = ", ".join(kind.model_fields["type"].default for kind in FEED_EVENTS)
        raise syntax(f"expected feed and a JSON object whose type is one of {kinds}") from None
