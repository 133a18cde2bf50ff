"""Any commands and events, as far as all dialects can express them."""

from typing import Any

from hypothesis import strategies as st

from plywire.protocol import commands, events
from plywire.protocol.fields import MAX_INTEGER
from plywire.protocol.limits import MAX_MS, Clock, Limits

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
counts = st.integers(0, MAX_INTEGER)
signed = st.integers(-MAX_INTEGER, MAX_INTEGER)
milliseconds = st.integers(0, MAX_MS)
players = st.sampled_from([1, 2])
moves = st.lists(st.one_of(squares, st.just("pass")), max_size=20).map(tuple)
some_moves = st.lists(squares, min_size=1, max_size=20).map(tuple)

limits = st.builds(
    Limits,
    movetime=st.none() | milliseconds,
    depth=st.none() | st.integers(1, 128),
    nodes=st.none() | st.integers(1, 2**53),
    clock=st.none()
    | st.builds(Clock, p1=milliseconds, p2=milliseconds, inc1=milliseconds, inc2=milliseconds),
    infinite=st.booleans(),
)

COMMANDS: dict[type[Any], st.SearchStrategy[Any]] = {
    commands.Hello: st.builds(
        commands.Hello, version=st.integers(1, MAX_INTEGER), name=st.none() | texts
    ),
    commands.Games: st.builds(commands.Games),
    commands.NewGame: st.builds(commands.NewGame, game=st.none() | names, size=st.none() | sizes),
    commands.SetPosition: st.builds(commands.SetPosition, fen=st.none() | fens, moves=moves),
    commands.Move: st.builds(commands.Move, moves=some_moves),
    commands.Undo: st.builds(commands.Undo, count=st.integers(1, 256)),
    commands.Legal: st.builds(commands.Legal),
    commands.Show: st.builds(commands.Show),
    commands.Eval: st.builds(commands.Eval),
    commands.Result: st.builds(commands.Result),
    commands.SetOption: st.builds(commands.SetOption, name=names, value=texts),
    commands.Go: st.builds(commands.Go, limits=limits, multipv=st.integers(1, 64)),
    commands.Stop: st.builds(commands.Stop),
    commands.Ping: st.builds(commands.Ping),
    commands.Quit: st.builds(commands.Quit),
}

scores = st.one_of(
    st.builds(events.Score, kind=st.sampled_from(["cp", "win", "loss", "exact"]), value=signed),
    st.just(events.Score(kind="draw")),
)

EVENTS: dict[type[Any], st.SearchStrategy[Any]] = {
    events.Hello: st.builds(
        events.Hello,
        server=words,
        version=st.integers(1, MAX_INTEGER),
        software=messages,
        games=st.lists(names, max_size=3).map(tuple),
        options=st.lists(
            st.builds(events.Option, name=names, default=signed, min=signed, max=signed), max_size=3
        ).map(tuple),
    ),
    events.GameInfo: st.builds(
        events.GameInfo, name=names, title=texts, players=st.tuples(names, names), size=sizes
    ),
    events.Ok: st.builds(events.Ok),
    events.Error: st.builds(events.Error, code=st.sampled_from(events.ErrorCode), message=messages),
    events.Legal: st.builds(events.Legal, moves=moves),
    events.Show: st.builds(
        events.Show,
        game=names,
        size=sizes,
        fen=fens,
        moves=moves,
        turn=players,
        board=st.lists(texts, min_size=1, max_size=9).map("\n".join),
    ),
    events.Eval: st.builds(events.Eval, score=scores),
    events.Result: st.one_of(
        st.builds(events.Result, over=st.just(False), turn=players),
        st.builds(
            events.Result,
            over=st.just(True),
            turn=players,
            winner=st.none() | players,
            score=st.integers(-64, 64),
            reason=messages,
        ),
    ),
    events.Info: st.builds(
        events.Info,
        depth=counts,
        score=scores,
        nodes=counts,
        time=counts,
        nps=counts,
        hashfull=st.integers(0, 1000),
        multipv=st.integers(1, MAX_INTEGER),
        pv=moves,
    ),
    events.BestMove: st.builds(events.BestMove, move=st.none() | squares),
    events.Pong: st.builds(events.Pong),
    events.Bye: st.builds(events.Bye, reason=messages),
}

any_command = st.one_of(*COMMANDS.values())
any_event = st.one_of(*EVENTS.values())
