import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywire.protocol.connection import EngineConnection, Fault, Ignored, State
from plywire.protocol.controller_connection import ControllerConnection
from plywire.protocol.dialects import ANSWERING, DRIVING, detect
from plywire.protocol.dialects.json import JsonDriving
from plywire.protocol.dialects.native.answering import NativeAnswering
from plywire.protocol.dialects.native.driving import NativeDriving
from plywire.protocol.dialects.nboard.answering import NboardAnswering
from plywire.protocol.dialects.uxi.ugi import UgiDriving
from plywire.protocol.errors import LocalError, StateError
from plywire.protocol.framing import MAX_LINE
from plywire.protocol.messages import arena, play
from plywire.protocol.messages.base import Command, Error, ErrorCode


def engine(*lines: str) -> EngineConnection:
    connection = EngineConnection()
    for line in lines:
        connection.receive_text(line)
    return connection


def take(connection: EngineConnection) -> Command:
    item = connection.next_command()
    assert not isinstance(item, Fault | Ignored | None), item
    return item


def fault(connection: EngineConnection) -> Fault:
    item = connection.next_command()
    assert isinstance(item, Fault), item
    return item


def everything(connection: EngineConnection) -> list[Command | Fault | Ignored]:
    items: list[Command | Fault | Ignored] = []
    while (item := connection.next_command()) is not None:
        items.append(item)
    return items


class TestEngine:
    def test_it_asks_for_more_when_there_is_nothing(self) -> None:
        connection = engine()
        assert connection.next_command() is None
        connection.receive_data(b"pi")
        assert connection.next_command() is None
        connection.receive_data(b"ng\n")
        assert take(connection) == play.Ping()
        assert connection.next_command() is None

    @pytest.mark.parametrize(
        ("line", "dialect"),
        [
            ("hello", "plywire"),
            ("UCI", "plywire"),
            ("uci ok", "plywire"),
            (" uci", "uci"),
            ("ugi", "ugi"),
            ('{"type":"ping"}', "json"),
            ("  {", "json"),
        ],
    )
    def test_the_first_line_decides_the_dialect(self, line: str, dialect: str) -> None:
        connection = engine("", line, "uci", "ugi", "{}")
        assert connection.dialect is None
        everything(connection)
        assert connection.dialect == dialect

    def test_a_line_that_cannot_be_read_decides_nothing(self) -> None:
        connection = EngineConnection()
        connection.receive_data(b"\xff\xff\nugi\n")
        bad = fault(connection)
        connection.send(bad.error, bad)
        assert connection.lines_to_send() == [f"error syntax {bad.error.message}"]
        assert take(connection) == play.Hello()
        assert connection.dialect == "ugi"

    @pytest.mark.parametrize(
        ("dialect", "line"),
        [
            ("plywire", ""),
            ("json", " \t"),
            ("ugi", "debug on"),
            ("uci", "register later"),
            ("gtp", "# a comment"),
            ("nboard", "made up by nobody"),
            ("nboard", "set depth 8"),
        ],
    )
    def test_each_line_that_asks_nothing_is_told_so_that_it_can_be_counted(
        self, dialect: str, line: str
    ) -> None:
        connection = EngineConnection(ANSWERING[dialect]())
        connection.receive_data(f"{line}\n{line}\n".encode())
        assert everything(connection) == [Ignored(), Ignored()]

    @pytest.mark.parametrize(
        ("start", "protocol"),
        [
            (b"POST / HTTP/1.1\r\n", "HTTP"),
            (b"GET /x?y=z HTTP/1.0\n", "HTTP"),
            (b"\r\nbrew-2 /pot HTTP/9\r\n", "HTTP"),
            (b"CONNECT example.org:443 HTTP/1.1\r\n", "HTTP"),
            (b"PRI * HTTP/2.0\r\n", "HTTP"),
            (b"OPTIONS * HTTP/1.1\r\n", "HTTP"),
            (b"POST http://127.0.0.1/ HTTP/1.1\r\n", "HTTP"),
            (b"GET /" + b"x" * 2 * MAX_LINE + b" HTTP/1.1\r\n", "HTTP"),
            (b"GET /\xff HTTP/1.1\r\n", "HTTP"),
            (b"\x16\x03\x01\x02\x00\x01\x00\n", "TLS"),
        ],
    )
    @pytest.mark.parametrize("piece", [1000, 1 << 20])
    def test_nothing_is_taken_from_a_peer_of_another_protocol(
        self, start: bytes, protocol: str, piece: int
    ) -> None:
        connection = EngineConnection()
        sent = start + b"Host: 127.0.0.1\r\n\r\nping\n" * 1000
        items: list[object] = []
        for at in range(0, len(sent), piece):
            connection.receive_data(sent[at : at + piece])
            while (item := connection.next_command()) is not None:
                items.append(item)
        bad, goodbye = items
        assert isinstance(bad, Fault)
        assert f"this connection speaks {protocol}: " in bad.error.message
        assert goodbye == play.Quit()

    def test_a_message_may_hold_several_lines(self) -> None:
        assert everything(engine("ping\nstop\r\n")) == [play.Ping(), play.Stop()]

    def test_a_message_that_is_no_text_is_a_fault(self) -> None:
        connection = engine("ping \ud800", "ping")
        assert fault(connection).error.code is ErrorCode.SYNTAX
        assert take(connection) == play.Ping()

    def test_faults_keep_their_place(self) -> None:
        items = everything(engine("ping", "castle", "stop", "undo 0", "ping"))
        assert [type(item) for item in items] == [
            play.Ping,
            Fault,
            play.Stop,
            Fault,
            play.Ping,
        ]

    def test_go_thinks_until_it_is_answered(self) -> None:
        connection = engine("go infinite")
        go = take(connection)
        assert connection.state is State.THINKING
        info = play.Info(depth=1, score=play.Score(kind="draw"), nodes=1, time=1, nps=1)
        connection.send(info, go)
        assert connection.state is State.THINKING
        connection.send(play.BestMove(move="4"), go)
        assert connection.state is State.OPEN
        assert connection.unanswered == ()

    def test_a_go_that_fails_is_answered_too(self) -> None:
        connection = engine("go")
        connection.send(Error(code=ErrorCode.INTERNAL, message="oops"), take(connection))
        assert connection.state is State.OPEN

    @pytest.mark.parametrize(
        "line",
        [
            "hello",
            "games",
            "new-game",
            "position startpos",
            "move 4",
            "undo",
            "legal",
            "show",
            "eval",
            "result",
            "option hash 1",
            "go",
        ],
    )
    def test_thinking_refuses_all_but_a_few(self, line: str) -> None:
        connection = engine("go", line, "stop", "ping")
        go = take(connection)
        refused = fault(connection)
        assert refused.error.code is ErrorCode.BUSY
        assert refused.command is not None
        assert take(connection) == play.Stop()
        assert take(connection) == play.Ping()
        connection.send(refused.error, refused)
        assert connection.state is State.THINKING
        connection.send(play.BestMove(move="4"), go)
        assert connection.state is State.OPEN

    def test_of_a_line_of_several_commands_one_is_refused(self) -> None:
        connection = EngineConnection(NboardAnswering())
        connection.receive_data(b"go\nnboard 2\nping 1\n")
        taken = [take(connection) for _ in range(3)]
        assert [command.type for command in taken] == ["stop", "go", "stop"]
        assert fault(connection).error.code is ErrorCode.BUSY
        assert [take(connection).type for _ in range(2)] == ["stop", "ping"]

    def test_stop_is_answered_by_ok_also_when_nothing_runs(self) -> None:
        connection = engine("stop")
        connection.send(play.Ok(), take(connection))
        assert connection.lines_to_send() == ["ok"]

    def test_quit_closes_and_what_follows_is_not_read(self) -> None:
        connection = engine("go", "quit", "ping")
        go, quits = take(connection), take(connection)
        assert connection.state is State.CLOSING
        assert connection.next_command() is None
        connection.send(play.BestMove(move="4"), go)
        assert connection.state is State.CLOSING
        connection.send(play.Bye(), quits)
        assert connection.state is State.CLOSED
        assert connection.lines_to_send() == ["bestmove 4", "bye"]
        with pytest.raises(StateError):
            connection.send(play.Pong())
        connection.receive_data(b"ping\n")
        assert connection.next_command() is None

    def test_the_end_of_data_is_a_quit(self) -> None:
        connection = engine("go")
        connection.receive_data(b"ping")
        connection.receive_eof()
        connection.receive_eof()
        assert everything(connection) == [play.Go(), play.Ping(), play.Quit()]
        assert connection.state is State.CLOSING

    def test_an_unasked_bye_closes(self) -> None:
        connection = engine("go", "ping")
        take(connection)
        connection.send(play.Bye(reason="draining"))
        assert connection.state is State.CLOSED
        assert connection.next_command() is None
        assert connection.lines_to_send() == ["bye draining"]

    def test_answers_carry_the_id_of_the_command(self) -> None:
        connection = engine('{"type":"legal","id":"a"}')
        legal = take(connection)
        connection.send(play.LegalAnswer(moves=("4",)), legal)
        connection.send(play.Ok(id="other"), legal)
        assert connection.lines_to_send() == [
            '{"type":"legal","id":"a","moves":["4"]}',
            '{"type":"ok","id":"a"}',
        ]

    def test_faults_carry_the_id_of_the_command(self) -> None:
        connection = engine('{"type":"go","id":1}', '{"type":"show","id":2}', '{"type":"x","id":3}')
        take(connection)
        assert fault(connection).error.id == 2
        assert fault(connection).error.id == 3

    def test_a_command_is_answered_once(self) -> None:
        connection = engine("ping", "ping")
        first, second = take(connection), take(connection)
        connection.send(play.Pong(), second)
        with pytest.raises(StateError, match="answered already"):
            connection.send(play.Pong(), second)
        connection.send(play.Pong(), first)

    def test_answers_go_out_in_the_order_of_the_commands(self) -> None:
        connection = engine("play 1.0 0 a1", "lobby", "castle", "play 1.1 0 a1")
        play_one, lobby = take(connection), take(connection)
        castle = fault(connection)
        connection.send(castle.error, castle)
        play_two = take(connection)
        connection.send(Error(code=ErrorCode.ILLEGAL_MOVE, message="no"), play_two)
        connection.send(arena.Bot(name="ann", games=(), slots=1, tables=0), lobby)
        connection.send(arena.Probe(number=1))
        assert connection.lines_to_send() == ["probe 1"]
        connection.send(play.Ok(), play_one)
        assert connection.lines_to_send() == ["ok", "bot ann slots=1 tables=0"]
        connection.send(play.Ok(), lobby)
        assert connection.lines_to_send() == [
            "ok",
            f"error unknown-command {castle.error.message}",
            "error illegal-move no",
        ]
        assert not connection.unanswered

    def test_a_goodbye_waits_for_no_answer(self) -> None:
        connection = engine("play 1.0 0 a1", "ping")
        kept, ping = take(connection), take(connection)
        connection.send(play.Pong(), ping)
        connection.send(play.Bye())
        assert connection.lines_to_send() == ["bye"]
        assert kept not in connection.unanswered

    def test_a_command_is_answered_by_its_own_events(self) -> None:
        connection = engine("ping")
        ping = take(connection)
        with pytest.raises(LocalError, match="does not answer ping"):
            connection.send(play.Ok(), ping)
        assert connection.lines_to_send() == []
        assert connection.unanswered == (ping,)

    def test_a_preparation_holds_nobody_up(self) -> None:
        """Whatever comes after it is answered first, a search and other preparations too."""
        connection = engine("prepare connect4", "move 4", "go", "prepare othello", "ping")
        first, move, go, second, ping = everything(connection)
        assert isinstance(ping, play.Ping)
        connection.send(play.Ok(), move)
        connection.send(play.Ready(game="othello", size="8x8"), second)
        connection.send(play.Pong(), ping)
        connection.send(play.BestMove(move="4"), go)
        assert connection.lines_to_send() == ["ok", "ready othello size=8x8", "pong", "bestmove 4"]
        going_on = play.Preparing(game="connect4", size="7x6", step="machine code", seconds_left=2)
        connection.send(going_on, first)
        connection.send(play.Ready(game="connect4", size="7x6"), first)
        assert connection.lines_to_send() == [
            "preparing connect4 size=7x6 seconds_left=2 step machine code",
            "ready connect4 size=7x6",
        ]
        assert connection.unanswered == ()

    def test_a_preparation_is_not_answered_by_that_of_another_game(self) -> None:
        connection = engine("prepare connect4")
        with pytest.raises(StateError, match="does not answer prepare"):
            connection.send(play.Ready(game="othello", size="8x8"), take(connection))

    def test_what_is_pending_is_counted_in_bytes(self) -> None:
        connection = engine("♜")
        refused = fault(connection)
        assert "♜" in refused.error.message
        connection.send(refused.error, refused)
        pending = connection.pending_bytes
        assert pending == len(connection.data_to_send())
        assert connection.pending_bytes == 0
        assert connection.data_to_send() == b""

    def test_no_event_breaks_the_framing(self) -> None:
        connection = engine("show")
        board = "a\r\x1b[2Jb\u2028c"
        show = play.ShowAnswer(game="g", size="1x1", fen="1 x", moves=(), turn=1, board=board)
        connection.send(show, take(connection))
        assert connection.lines_to_send()[0] == "board a  [2Jb c"


class TestController:
    def test_events_close_the_commands_that_they_answer(self) -> None:
        connection = ControllerConnection(NativeDriving())
        connection.send(play.Go(id=1))
        connection.send(play.Ping(id=2))
        connection.send(play.Stop(id=3))
        assert connection.lines_to_send() == ["go", "ping", "stop"]
        connection.receive_data(b"pong\nok\nbestmove 4\n")
        assert connection.next_event() == play.Pong(id=2)
        assert connection.next_event() == play.Ok(id=3)
        assert connection.state is State.THINKING
        assert connection.next_event() == play.BestMove(id=1, move="4")
        assert connection.state is State.OPEN
        assert connection.next_event() is None

    def test_it_does_not_give_what_would_be_refused(self) -> None:
        connection = ControllerConnection(NativeDriving())
        connection.send(play.Go())
        with pytest.raises(StateError, match="a search is running"):
            connection.send(play.Show())
        connection.send(play.Quit())
        with pytest.raises(StateError, match="closing"):
            connection.send(play.Ping())
        assert connection.lines_to_send() == ["go", "quit"]

    def test_an_error_closes_the_oldest_command(self) -> None:
        connection = ControllerConnection(NativeDriving())
        connection.send(play.Move(id=1, moves=("9",)))
        connection.send(play.Show(id=2))
        connection.receive_text("error illegal-move no")
        event = connection.next_event()
        assert isinstance(event, Error)
        assert event.id == 1
        assert connection.unanswered == (play.Show(id=2),)

    def test_an_error_may_answer_nothing(self) -> None:
        connection = ControllerConnection(NativeDriving())
        connection.receive_text("error too-many sessions")
        assert connection.next_event() == Error(code=ErrorCode.TOO_MANY, message="sessions")

    def test_answers_find_the_preparation_of_their_game(self) -> None:
        connection = ControllerConnection(NativeDriving())
        for number, command in enumerate(
            (
                play.Prepare(game="connect4"),
                play.Prepare(game="othello"),
                play.Prepare(),
                play.Move(moves=("9",)),
            )
        ):
            connection.send(command.model_copy(update={"id": number}))
        connection.receive_text(
            "error illegal-move no\n"
            "preparing othello size=8x8 step machine code\n"
            "ready othello size=8x8\n"
            "error unavailable no compiler\n"
            "ready tictactoe size=3x3"
        )
        assert [event.id for event in iter(connection.next_event, None)] == [3, 1, 1, 0, 2]
        assert connection.unanswered == ()

    def test_ids_match_answers_out_of_order(self) -> None:
        connection = ControllerConnection(JsonDriving())
        connection.send(play.Legal(id=1))
        connection.send(play.Undo(id=2))
        connection.receive_text('{"type":"ok","id":2}')
        assert connection.next_event() == play.Ok(id=2)
        assert connection.unanswered == (play.Legal(id=1),)

    @pytest.mark.parametrize("line", ["bestmove 4", "pong", "ok", "castle", "bestmove", "info"])
    def test_what_answers_nothing_is_a_fault(self, line: str) -> None:
        connection = ControllerConnection(NativeDriving())
        connection.receive_text(line)
        item = connection.next_event()
        assert isinstance(item, Fault)
        assert item.error.code is ErrorCode.SYNTAX
        assert connection.state is State.OPEN

    def test_a_peer_that_hangs_up_is_given_a_bye(self) -> None:
        connection = ControllerConnection(NativeDriving())
        connection.send(play.Go())
        connection.receive_eof()
        bye = connection.next_event()
        assert bye == play.Bye(reason="the other end closed the connection")
        assert connection.state is State.CLOSED
        assert connection.unanswered == ()
        assert connection.next_event() is None

    def test_a_quit_is_answered_also_where_the_dialect_says_nothing(self) -> None:
        connection = ControllerConnection(UgiDriving())
        connection.send(play.Quit(id=1))
        connection.receive_eof()
        assert connection.next_event() == play.Bye(id=1)


@given(st.lists(st.sampled_from(["ping", "castle", "undo 0", "stop", "", "x" * 300]), max_size=8))
def test_commands_do_not_depend_on_how_their_bytes_are_cut(lines: list[str]) -> None:
    data = "\n".join(lines).encode()
    whole, pieces = EngineConnection(max_line=200), EngineConnection(max_line=200)
    whole.receive_data(data)
    for place in range(len(data)):
        pieces.receive_data(data[place : place + 1])
    for connection in (whole, pieces):
        connection.receive_eof()
    assert everything(pieces) == everything(whole)


def test_dialects_are_found_by_name() -> None:
    assert list(ANSWERING) == ["json", "ugi", "uci", "nboard", "gtp", "plywire"] == list(DRIVING)
    assert isinstance(detect("anything"), NativeAnswering)
