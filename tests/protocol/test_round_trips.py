"""What one end sends in a dialect, the other end reads as the same."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywire.protocol.connection import EngineConnection, Fault, Ignored
from plywire.protocol.controller_connection import ControllerConnection
from plywire.protocol.dialects import ANSWERING, DRIVING
from plywire.protocol.messages import play, review
from plywire.protocol.messages.base import Command, Error
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.registry import COMMANDS, EVENTS
from tests.protocol.strategies import arena_messages, messages
from tests.protocol.strategies.fields import fens, limits, moves, names, othello_fens, squares


def _without_byoyomi(limits: Limits) -> Limits:
    clock = limits.clock and limits.clock.without_byoyomi
    return limits.model_copy(update={"clock": clock})


#: Every message has a strategy.
assert set(messages.COMMANDS) == set(COMMANDS.values())
assert set(messages.EVENTS) == set(EVENTS.values())

#: What UGI and UCI have no words for. Moves come as positions there, see `test_ugi.py`.
_GUI_COMMANDS = messages.COMMANDS | {
    play.Hello: st.just(play.Hello()),
    play.NewGame: st.builds(play.NewGame, game=names),
    play.SetPosition: st.builds(
        play.SetPosition,
        fen=st.none() | fens,
        moves=moves,
    ),
    play.Go: st.builds(play.Go, limits=limits.map(_without_byoyomi)),
}
for _kind in (play.Games, play.Move, play.Undo, play.Legal, play.Show, play.Prepare):
    del _GUI_COMMANDS[_kind]
for _kind in (play.Eval, play.Result, review.Review, *arena_messages.COMMANDS):
    del _GUI_COMMANDS[_kind]

#: GTP has no words for positions, and for time only whole seconds, and a pass that is new comes as
#: a move; see `test_gtp.py`.
_GTP_COMMANDS = {
    play.Hello: st.just(play.Hello()),
    play.NewGame: st.just(play.NewGame(game="othello", size="8x8")),
    play.SetPosition: st.builds(
        play.SetPosition, moves=moves.filter(lambda moves: moves[-1:] not in ((), ("pass",)))
    ),
    play.Quit: st.just(play.Quit()),
}

#: NBoard plays Othello, and has no words for time but those of the game; see `test_nboard.py`.
_NBOARD_COMMANDS = {
    play.Hello: st.just(play.Hello()),
    play.SetPosition: st.builds(play.SetPosition, fen=st.none() | othello_fens, moves=moves),
    play.Move: st.builds(play.Move, moves=squares.map(lambda name: (name,))),
    play.Go: st.builds(
        play.Go, limits=st.builds(Limits, depth=st.integers(1, 60)), id=st.just("go")
    ),
    play.Stop: st.just(play.Stop()),
    play.Ping: st.just(play.Ping(id=1)),
    play.Quit: st.just(play.Quit()),
}

_SPEAKABLE = {
    "plywire": messages.COMMANDS,
    "json": messages.COMMANDS,
    "ugi": _GUI_COMMANDS,
    "uci": _GUI_COMMANDS,
    "gtp": _GTP_COMMANDS,
    "nboard": _NBOARD_COMMANDS,
}


def pair(dialect: str) -> tuple[ControllerConnection, EngineConnection]:
    return ControllerConnection(DRIVING[dialect]()), EngineConnection(ANSWERING[dialect]())


def give(controller: ControllerConnection, engine: EngineConnection, command: Command) -> Command:
    """Send a command; what arrives at the other end first."""
    controller.send(command)
    engine.receive_data(controller.data_to_send())
    taken = engine.next_command()
    assert isinstance(taken, type(command)), taken
    return taken


@pytest.mark.parametrize("name", ["ugi", "uci"])
def test_the_most_nodes_that_a_search_may_have(name: str) -> None:
    controller, engine = pair(name)
    command = play.Go(limits=Limits(nodes=2**53))
    assert give(controller, engine, command) == command


@pytest.mark.parametrize("name", ANSWERING)
@given(data=st.data())
def test_commands(name: str, data: st.DataObject) -> None:
    command = data.draw(st.one_of(*_SPEAKABLE[name].values()))
    controller, engine = pair(name)
    if name == "uci":
        # Of Connect Four, columns need a board; see test_uci.py.
        opening = give(controller, engine, play.NewGame(game="othello"))
        engine.send(play.Ok(), opening)
        settle(controller, engine)
    controller.send(command)
    assert command in arriving(controller, engine, data)


def arriving(
    controller: ControllerConnection, engine: EngineConnection, data: st.DataObject
) -> list[Command]:
    """All that the engine takes, which is answered at once: some dialects ask piece by piece."""
    engine.receive_data(controller.data_to_send())
    taken: list[Command] = []
    while (item := engine.next_command()) is not None:
        if isinstance(item, Ignored):
            continue
        assert not isinstance(item, Fault), item
        taken.append(item)
        engine.send(data.draw(messages.EVENTS[item.answers[-1]]), item)
        if isinstance(item, play.Quit):
            break
    return taken


def settle(controller: ControllerConnection, engine: EngineConnection) -> None:
    """Answer what is left to answer, and let the controller hear it all."""
    while (item := engine.next_command()) is not None:
        if isinstance(item, Ignored):
            continue
        closing: dict[type, Any] = {play.Ping: play.Pong, play.NewGame: play.Ok}
        engine.send(closing[type(item)](), item)
    controller.receive_data(engine.data_to_send())
    while controller.next_event() is not None:
        pass


@pytest.mark.parametrize("name", ["plywire", "json"])
@given(data=st.data())
def test_events(name: str, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(list(messages.COMMANDS)))
    command = data.draw(messages.COMMANDS[kind])
    controller, engine = pair(name)
    taken = give(controller, engine, command)
    sent = [data.draw(messages.EVENTS[answer]) for answer in kind.answers]
    for event in sent:
        engine.send(event, taken)
    controller.receive_data(engine.data_to_send())
    assert [controller.next_event() for _ in sent] == sent
    assert controller.next_event() is None
    assert controller.unanswered == engine.unanswered == ()
    assert controller.state is engine.state


@pytest.mark.parametrize("name", ["plywire", "json"])
@given(data=st.data())
def test_notices_come_unasked(name: str, data: st.DataObject) -> None:
    """Whatever is waiting for its answer goes on waiting."""
    kind = data.draw(st.sampled_from([kind for kind in EVENTS.values() if kind.is_notice]))
    notice = data.draw(messages.EVENTS[kind])
    controller, engine = pair(name)
    give(controller, engine, data.draw(messages.any_command))
    waiting = controller.unanswered
    engine.send(notice)
    controller.receive_data(engine.data_to_send())
    assert controller.next_event() == notice
    assert controller.unanswered == waiting


@pytest.mark.parametrize("name", ANSWERING)
@given(error=messages.EVENTS[Error])
def test_errors_close_the_command_at_both_ends(name: str, error: Error) -> None:
    controller, engine = pair(name)
    controller.send(play.SetPosition(moves=("a1",)))
    engine.receive_data(controller.data_to_send())
    while (item := engine.next_command()) is not None:
        if isinstance(item, Ignored):
            continue
        is_refused = isinstance(item, play.SetPosition)
        closing = item.answers[-1]
        engine.send(error if is_refused else closing(), item)  # type: ignore[arg-type]
    controller.receive_data(engine.data_to_send())
    assert controller.next_event() == error
    assert controller.next_event() is None
    assert controller.unanswered == ()


@pytest.mark.parametrize("name", ANSWERING)
@pytest.mark.parametrize("by", get_args(play.SearchedBy))
def test_what_found_a_move_is_told_in_every_dialect(name: str, by: play.SearchedBy) -> None:
    """Where there is no field for it, in a comment that does not change the line of the move."""
    controller, engine = pair(name)
    if name in ("ugi", "uci"):
        opening = give(controller, engine, play.NewGame(game="othello"))
        engine.send(play.Ok(), opening)
        settle(controller, engine)
    for found in (by, "engine"):
        controller.send(play.Go())
        engine.receive_data(controller.data_to_send())
        while (item := engine.next_command()) is not None:
            if isinstance(item, play.Go):
                engine.send(play.BestMove(move="d3", square="d3", by=found), item)
            elif isinstance(item, Command):
                engine.send(play.Ok(), item)
        lines = engine.lines_to_send()
        if name not in ("plywire", "json"):
            assert sum("plain search" in line for line in lines) == (found == "plain")
            (moved,) = (line for line in lines if "d3" in line.lower())
            assert moved.split()[1:] in (["d3"], ["D3"], ["P@d3"])
        controller.receive_text("".join(f"{line}\n" for line in lines))
        heard = list(iter(controller.next_event, None))
        assert isinstance(heard[-1], play.BestMove)
        assert (heard[-1].move, heard[-1].by) == ("d3", found)


@given(command_id=st.integers() | st.text(max_size=64), data=st.data())
def test_json_returns_the_id(command_id: int | str, data: st.DataObject) -> None:
    command = data.draw(messages.any_command).model_copy(update={"id": command_id})
    if isinstance(command_id, int) and abs(command_id) > 2**53:
        return
    controller, engine = pair("json")
    taken = give(controller, engine, command)
    assert taken == command
    closing = data.draw(messages.EVENTS[command.answers[-1]])
    engine.send(closing, taken)
    controller.receive_data(engine.data_to_send())
    assert controller.next_event() == closing.model_copy(update={"id": command_id})
