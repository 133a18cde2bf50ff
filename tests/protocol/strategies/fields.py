"""Any values of the fields that commands and events are made of."""

import re

from hypothesis import strategies as st

from plywire.protocol.messages.fields import MAX_INTEGER
from plywire.protocol.messages.limits import MAX_MS, MAX_PERIODS, Clock, Limits

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"

names = st.text(_LETTERS, min_size=1, max_size=12)
words = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=20)
texts = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8),
    min_size=1,
    max_size=3,
).map(" ".join)
messages = st.one_of(st.just(""), texts)
squares = st.builds("{}{}".format, st.sampled_from("abcdefgh"), st.integers(1, 8))
sizes = st.builds("{}x{}".format, st.integers(3, 20), st.integers(3, 20))
fens = st.builds(
    "{} {}".format,
    st.lists(st.text("xo1234567", min_size=1, max_size=7), min_size=3, max_size=8).map("/".join),
    st.sampled_from("xo"),
)
othello_fens = st.builds(
    "{} {}".format,
    st.lists(st.text("xo.", min_size=8, max_size=8), min_size=8, max_size=8).map(
        lambda rows: "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    ),
    st.sampled_from("xo"),
).filter(lambda fen: fen != "8/8/8/3ox3/3xo3/8/8/8 x")
counts = st.integers(0, MAX_INTEGER)
signed = st.integers(-MAX_INTEGER, MAX_INTEGER)
milliseconds = st.integers(0, MAX_MS)
periods = st.integers(0, MAX_PERIODS)
players = st.sampled_from([1, 2])
moves = st.lists(st.one_of(squares, st.just("pass")), max_size=20).map(tuple)
some_moves = st.lists(squares, min_size=1, max_size=20).map(tuple)

limits = st.builds(
    Limits,
    movetime=st.none() | milliseconds,
    depth=st.none() | st.integers(1, 128),
    nodes=st.none() | st.integers(1, 2**53),
    clock=st.none()
    | st.builds(
        Clock,
        p1=milliseconds,
        p2=milliseconds,
        inc1=milliseconds,
        inc2=milliseconds,
        byoyomi=milliseconds,
        periods1=periods,
        periods2=periods,
    ),
    infinite=st.booleans(),
)
