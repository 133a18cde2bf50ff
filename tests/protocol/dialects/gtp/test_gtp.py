"""Line by line against the draft of GTP 2 (October 2002); the numbers are those of its sections."""

from collections.abc import Sequence

import pytest

from plywire.protocol.connection import EngineConnection, Fault, Ignored, State
from plywire.protocol.controller_connection import ControllerConnection
from plywire.protocol.dialects import detect
from plywire.protocol.dialects.gtp.answering import GtpAnswering
from plywire.protocol.dialects.gtp.driving import GtpDriving
from plywire.protocol.dialects.gtp.times import LAG
from plywire.protocol.errors import UnspeakableError
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event
from plywire.protocol.messages.limits import Clock, Limits


class Asked:
    """An engine's end; what it was asked last, and what it said."""

    def __init__(self) -> None:
        self.time = 100.0
        self.connection = EngineConnection(GtpAnswering(lambda: self.time))
        self.commands: list[Command] = []

    def __call__(self, line: str, *answers: Event) -> list[str]:
        """The response to a line, its commands answered by these and by `ok`."""
        self.connection.receive_text(line)
        self.commands = []
        told = list(answers)
        while (item := self.connection.next_command()) is not None:
            if isinstance(item, Fault):
                self.connection.send(item.error, item)
                break
            if isinstance(item, Ignored):
                continue
            self.commands.append(item.model_copy(update={"id": None}))
            for event in self._answers(item, told):
                self.connection.send(event, item)
        return self.connection.lines_to_send()

    @staticmethod
    def _answers(item: Command, told: list[Event]) -> Sequence[Event]:
        match item:
            case play.Hello():
                return [play.HelloAnswer(software="1.2")]
            case play.Go() | play.Quit():
                return [told.pop(0)]
            case play.SetPosition() | play.Move() if told and isinstance(told[0], play.Ok | Error):
                return [told.pop(0)]
            case play.Ping():
                return [play.Pong()]
            case play.Show() | play.Result() | play.Legal():
                return [told.pop(0), play.Ok()]
            case play.NewGame() if told and isinstance(told[0], Error):
                return [told.pop(0)]
            case _:
                return [play.Ok()]


@pytest.fixture
def ask() -> Asked:
    return Asked()


# --- the answering side


@pytest.mark.parametrize(
    "line", ["protocol_version", "1 name", "77 undo", "# hello", "genmove b", "  boardsize 8"]
)
def test_what_opens_it(line: str) -> None:
    assert isinstance(detect(line), GtpAnswering)


@pytest.mark.parametrize("line", ["play 1.0 0 4", "undo", "quit", "hello 1", "7", "ping"])
def test_what_does_not(line: str) -> None:
    assert not isinstance(detect(line), GtpAnswering)


def test_responses_repeat_the_id_and_end_with_a_blank_line(ask: Asked) -> None:
    """2.5 to 2.7."""
    assert ask("protocol_version") == ["= 2", ""]
    assert ask("7 protocol_version") == ["=7 2", ""]
    assert ask("0 clear_board") == ["=0", ""]
    assert ask("2147483647 name") == ["=2147483647 plywire", ""]
    assert ask("2147483648 name") == ["? syntax error: an id is a number up to 2147483647", ""]
    assert ask("8 sing") == ["?8 unknown command: 'sing'; list_commands names all", ""]
    assert ask("9 play b") == ["?9 syntax error: expected play COLOR VERTEX", ""]


def test_preprocessing(ask: Asked) -> None:
    """3.1: control characters go, comments go, tabs are spaces, blank lines get no response."""
    ask.connection.receive_data(b"\x01\x02na\x07me\r\n")
    assert ask("") == ["= plywire", ""]
    assert ask("version # of what?") == ["= 1.2", ""]
    assert ask("known_command\tkomi") == ["= true", ""]
    assert ask("# nothing") == ask("   ") == ask("") == []


def test_the_draft_demands_these_commands(ask: Asked) -> None:
    """6.1 and 6.3.1."""
    required = ["protocol_version", "name", "version", "known_command", "list_commands", "quit"]
    required += ["boardsize", "clear_board", "komi", "play", "genmove"]
    listed = ask("list_commands")
    assert listed[0] == f"= {required[0]}"
    assert set(required[1:]) < set(listed)
    for verb in required:
        assert ask(f"known_command {verb}") == ["= true", ""]
    assert ask("known_command place_free_handicap") == ["= false", ""]


def test_the_board_is_set_up_before_it_is_needed(ask: Asked) -> None:
    assert ask("play B D3") == ["=", ""]
    assert ask.commands == [
        play.NewGame(game="othello"),
        play.SetPosition(moves=("d3",)),
    ]
    assert ask("play white c5") == ["=", ""]
    assert ask.commands == [play.SetPosition(moves=("d3", "c5"))]


def test_genmove_plays_what_it_names_and_reg_genmove_does_not(ask: Asked) -> None:
    assert ask("reg_genmove b", play.BestMove(move="d3", square="d3")) == ["= D3", ""]
    assert ask("3 genmove b", play.BestMove(move="c4", square="c4")) == ["=3 C4", ""]
    assert ask("genmove w", play.BestMove(move="pass", square="-")) == ["= pass", ""]
    ask("play b e6")
    assert ask.commands == [play.SetPosition(moves=("c4", "pass", "e6"))]


def test_what_fails_changes_nothing(ask: Asked) -> None:
    ask("play b d3")
    illegal = Error(code=ErrorCode.ILLEGAL_MOVE, message="no move 'a1' here")
    assert ask("5 play w a1", illegal) == ["?5 illegal move: no move 'a1' here", ""]
    assert ask("play w c5") == ["=", ""]
    assert ask.commands == [play.SetPosition(moves=("d3", "c5"))]


def test_no_search_follows_a_position_that_is_refused(ask: Asked) -> None:
    ask("clear_board")
    illegal = Error(code=ErrorCode.ILLEGAL_MOVE, message="you need not pass")
    assert ask("genmove w", play.Ok(), illegal) == ["? illegal move: you need not pass", ""]
    assert ask.commands[-1] == play.Move(moves=("pass",))
    assert not any(isinstance(command, play.Go) for command in ask.commands)


def test_a_pass_left_unsaid_is_played(ask: Asked) -> None:
    ask("play b d3")
    ask("play b c5")
    assert ask.commands == [play.SetPosition(moves=("d3", "pass", "c5"))]
    assert ask("undo") == ["=", ""]
    assert ask.commands == [play.SetPosition(moves=("d3", "pass"))]


def test_passes_after_the_end_are_taken(ask: Asked) -> None:
    """Match managers end games by two of them, whatever the game."""
    over = Error(code=ErrorCode.GAME_OVER, message="the game is over: three in a row")
    ask("set_game tictactoe")
    ask("play b b2")
    assert ask("play w pass", play.Ok(), over) == ["=", ""]
    assert ask.commands == [play.SetPosition(moves=("b2",)), play.Move(moves=("pass",))]
    assert ask("genmove b", play.BestMove()) == ["= pass", ""]
    assert ask.commands[0] == play.SetPosition(moves=("b2",))
    assert ask("play b pass") == ask("play w pass") == ask("play b pass") == ["=", ""]
    assert ask.commands == [play.SetPosition(moves=("b2",))]
    for _ in range(6):
        assert ask("undo") == ["=", ""]
        assert ask.commands == [play.SetPosition(moves=("b2",))]
    assert ask("undo") == ["=", ""]
    assert ask("undo") == ["? cannot undo", ""]


@pytest.mark.parametrize(("verb", "undone"), [("genmove", ("b2",)), ("reg_genmove", ())])
def test_whoever_is_asked_for_a_move_after_the_end_passes(
    ask: Asked, verb: str, undone: tuple[str, ...]
) -> None:
    over = Error(code=ErrorCode.GAME_OVER, message="the game is over: three in a row")
    ask("set_game tictactoe")
    ask("play b b2")
    assert ask(f"7 {verb} b", play.Ok(), over) == ["=7 pass", ""]
    assert not any(isinstance(command, play.Go) for command in ask.commands)
    ask("undo")
    assert ask.commands == [play.SetPosition(moves=undone)]


def test_the_end_is_not_believed_of_a_game_that_goes_on(ask: Asked) -> None:
    ask("play b d3")
    illegal = Error(code=ErrorCode.ILLEGAL_MOVE, message="you need not pass")
    assert ask("play w pass", play.Ok(), illegal) == ["? illegal move: you need not pass", ""]
    assert ask("play b pass", play.Ok(), illegal) == ["? illegal move: you need not pass", ""]
    assert ask.commands[-1] == play.Move(moves=("pass", "pass"))
    assert ask("play w c5") == ["=", ""]
    assert ask.commands == [play.SetPosition(moves=("d3", "c5"))]


def test_undo_as_far_as_there_are_moves(ask: Asked) -> None:
    """6.3.3."""
    assert ask("undo") == ["? cannot undo", ""]
    ask("play b d3")
    assert ask("undo") == ["=", ""]
    assert ask("undo") == ["? cannot undo", ""]


def test_the_first_line_of_all_begins_a_game_of_othello(ask: Asked) -> None:
    """Until then a session has another game, whose kernels would be loaded."""
    assert ask("protocol_version") == ["= 2", ""]
    assert ask.commands == [play.NewGame(game="othello"), play.Hello()]
    assert ask("name") == ["= plywire", ""]
    assert ask.commands == [play.Hello()]


def test_who_begins_a_game_waits_until_searching_can_begin(ask: Asked) -> None:
    """GTP has no `isready`, and whoever keeps a clock starts it with the first `genmove`."""
    ask("clear_board")
    assert ask.commands == [play.NewGame(game="othello"), play.Ping()]


def test_boards_and_games(ask: Asked) -> None:
    ask("boardsize 8")
    assert ask.commands == [play.NewGame(game="othello", size="8x8"), play.Ping()]
    refused = Error(code=ErrorCode.BAD_POSITION, message="it is 8x8")
    assert ask("boardsize 9", refused) == ["? unacceptable size: it is 8x8", ""]
    ask("clear_board")
    assert ask.commands == [play.NewGame(game="othello", size="8x8"), play.Ping()]
    ask("set_game Connect4")
    ask("boardsize 7 6")
    assert ask.commands == [play.NewGame(game="connect4", size="7x6"), play.Ping()]
    ask("play b d1")
    assert ask.commands == [play.SetPosition(moves=("4",))]
    assert ask("play w d4")[0].startswith("? illegal move")
    assert ask("genmove w", play.BestMove(move="4", square="d2")) == ["= D2", ""]


@pytest.mark.parametrize(
    ("lines", "player", "limits"),
    [
        ([], "b", Limits(movetime=1000)),
        (["time_settings 0 1 0"], "b", Limits(movetime=1000)),
        (["time_settings 60 0 0"], "w", Limits(clock=Clock(p1=60_000, p2=60_000))),
        (["time_settings 0 0 0"], "w", Limits(movetime=0)),
        (
            ["time_settings 60 30 10"],
            "b",
            Limits(clock=Clock(p1=60_000, p2=60_000, byoyomi=3000, periods1=1, periods2=1)),
        ),
        (
            ["time_settings 60 0 0", "time_left w 7 0"],
            "b",
            Limits(clock=Clock(p1=60_000, p2=7000)),
        ),
        (["time_settings 60 30 10", "time_left w 25 5"], "w", Limits(movetime=5000)),
        (["time_left b 9 0"], "b", Limits(clock=Clock(p1=9000, p2=9000))),
        (["time_left b 25 5", "time_left b 9 0"], "b", Limits(clock=Clock(p1=9000, p2=9000))),
        (["time_left b 25 5", "clear_board"], "b", Limits(movetime=1000)),
    ],
)
def test_time(ask: Asked, lines: list[str], player: str, limits: Limits) -> None:
    """4.2 and 6.3.4."""
    for line in lines:
        assert ask(line) == ["=", ""]
    if player == "w":
        ask("play b d3")
    ask(f"genmove {player}", play.BestMove(move="c5", square="c5"))
    assert ask.commands[-1] == play.Go(limits=limits)


def test_time_is_kept_for_those_who_never_tell_what_is_left(ask: Asked) -> None:
    """From the command to its answer, however early the last report came, and the way of both."""
    ask("time_settings 60 0 0")
    ask.connection.receive_text("genmove b")
    while not isinstance(item := ask.connection.next_command(), play.Go):
        assert not isinstance(item, Fault | Ignored | None)
        ask.connection.send(play.Ok(), item)
    score = play.Score(kind="cp", value=1)
    info = play.Info(depth=1, score=score, nodes=1, time=1500, nps=1)
    ask.connection.send(info, item)
    ask.time += 2.5
    ask.connection.send(play.BestMove(move="d3", square="d3"), item)
    assert ask.connection.lines_to_send() == ["= D3", ""]
    ask("reg_genmove b", play.BestMove(move="c5", square="c5"))
    assert ask.commands[-1] == play.Go(limits=Limits(clock=Clock(p1=57_500 - LAG, p2=60_000)))


@pytest.mark.parametrize(
    ("result", "score", "final"),
    [
        (play.ResultAnswer(over=True, turn=1, winner=1, score=12), "= B+12", "= B+12"),
        (play.ResultAnswer(over=True, turn=1, winner=2, score=-3), "= W+3", "= W+3"),
        (play.ResultAnswer(over=True, turn=1, score=0), "= 0", "= 0"),
        (play.ResultAnswer(over=False, turn=1), "? cannot score: the game is not over", "="),
    ],
)
def test_scores(ask: Asked, result: play.ResultAnswer, score: str, final: str) -> None:
    """6.3.5."""
    assert ask("final_score", result) == [score, ""]
    assert ask("gogui-rules_final_result", result) == [final, ""]


def test_boards_are_shown_without_blank_lines(ask: Asked) -> None:
    show = play.ShowAnswer(
        game="othello",
        size="8x8",
        fen="8/8/8/3ox3/3xo3/8/8/8 x",
        moves=(),
        turn=1,
        board="1 .\n2 x",
    )
    assert ask("showboard", show) == ["=", "1 .", "2 x", ""]
    assert ask("gogui-rules_board", show)[4:6] == [". . . O X . . .", ". . . X O . . ."]
    assert ask("gogui-rules_board_size", show) == ["= 8", ""]
    assert ask("gogui-rules_game_id", show) == ["= Othello", ""]
    assert ask("gogui-rules_legal_moves", play.LegalAnswer(moves=("c4", "pass"))) == [
        "= C4 pass",
        "",
    ]
    black = play.ResultAnswer(over=False, turn=1)
    assert ask("gogui-rules_side_to_move", black) == ["= black", ""]


def test_what_comes_during_a_search_waits(ask: Asked) -> None:
    """2.8: responses come in the order of the commands."""
    connection = ask.connection
    connection.receive_data(b"genmove b\nname\nquit\n")
    connection.receive_eof()
    while not isinstance(go := connection.next_command(), play.Go):
        assert not isinstance(go, Fault | Ignored | None)
        connection.send(play.Ok(), go)
    assert connection.next_command() is None
    assert connection.waits_its_turn
    connection.send(play.BestMove(move="d3", square="d3"), go)
    assert not connection.waits_its_turn
    assert ask("", play.Bye()) == ["= D3", "", "= plywire", "", "=", ""]
    assert connection.state is State.CLOSED


def test_what_comes_before_the_engine_is_ready_waits(ask: Asked) -> None:
    connection = ask.connection
    connection.receive_data(b"boardsize 8\ngenmove b\n")
    game = connection.next_command()
    assert isinstance(game, play.NewGame)
    connection.send(play.Ok(), game)
    ping = connection.next_command()
    assert isinstance(ping, play.Ping)
    assert connection.next_command() is None
    assert connection.waits_its_turn
    connection.send(play.Pong(), ping)
    assert not connection.waits_its_turn
    assert connection.lines_to_send() == ["=", ""]
    assert connection.next_command() == play.SetPosition()  # of `genmove`


# --- the driving side


class Engine:
    """A scripted engine at the other end: it says what it is told to say."""

    def __init__(self, *known: str) -> None:
        self.connection = ControllerConnection(GtpDriving())
        listed = "\n".join(("protocol_version", *known))
        assert self.told(play.Hello()) == ["name", "version", "list_games", "list_commands"]
        hello = self.says("= Edax", "", "= 4.6", "", "= Othello", "", f"= {listed}", "")
        assert hello == [play.HelloAnswer(server="Edax", software="4.6", games=("othello",))]

    def told(self, command: Command) -> list[str]:
        self.connection.send(command)
        return self.connection.lines_to_send()

    def says(self, *lines: str) -> list[Event | Fault]:
        self.connection.receive_data("".join(f"{line}\n" for line in lines).encode())
        heard: list[Event | Fault] = []
        while (event := self.connection.next_event()) is not None:
            heard.append(event)
        return heard


def test_a_game_is_driven() -> None:
    engine = Engine("set_game", "time_left", "time_settings")
    assert engine.told(play.NewGame(game="othello", size="8x8")) == [
        "set_game Othello",
        "boardsize 8",
        "clear_board",
    ]
    assert engine.says("= ", "", "=", "", "= ", "") == [play.Ok()]
    assert engine.told(play.SetPosition(moves=("f5", "d6"))) == ["play b F5", "play w D6"]
    assert engine.says("=", "", "=", "") == [play.Ok()]
    limits = Limits(clock=Clock(p1=61_900, p2=60_000))
    assert engine.told(play.Go(limits=limits)) == [
        "time_settings 61 0 0",
        "time_left b 61 0",
        "genmove b",
    ]
    assert engine.says("=", "", "=", "", "thinking hard", "= c3", "") == [
        play.BestMove(move="c3", square="c3")
    ]
    # The engine has played its move: only the answer to it is news.
    assert engine.told(play.SetPosition(moves=("f5", "d6", "c3", "d3"))) == ["play w D3"]
    assert engine.says("=", "") == [play.Ok()]
    limits = Limits(clock=Clock(p1=800, p2=60_000))
    assert engine.told(play.Go(limits=limits)) == ["time_left b 1 0", "genmove b"]
    assert engine.says("=", "", "= PASS", "") == [play.BestMove(move="pass", square="-")]
    assert engine.told(play.Quit()) == ["quit"]


def test_another_line_of_play_begins_from_the_start() -> None:
    engine = Engine()
    engine.told(play.SetPosition(moves=("f5", "d6")))
    assert engine.says("=", "", "=", "", "=", "") == [play.Ok()]
    assert engine.told(play.SetPosition(moves=("f5", "f6"))) == [
        "clear_board",
        "play b F5",
        "play w F6",
    ]


def test_a_pass_that_an_engine_does_not_know_does_no_harm() -> None:
    engine = Engine()
    assert engine.told(play.SetPosition(moves=("f5", "pass", "d6")))[1:] == [
        "play b F5",
        "play w pass",
        "play b D6",
    ]
    assert engine.says("=", "", "=", "", "? syntax error", "", "=", "") == [play.Ok()]


def test_an_engine_that_refuses_is_set_up_anew() -> None:
    engine = Engine()
    engine.told(play.SetPosition(moves=("f5",)))
    heard = engine.says("=", "", "? illegal move", "")
    assert heard == [Error(code=ErrorCode.ILLEGAL_MOVE, message="")]
    assert engine.told(play.SetPosition(moves=("f5",))) == ["clear_board", "play b F5"]
    assert engine.says("=", "", "? 1 wrong color", "") == [
        Error(code=ErrorCode.INTERNAL, message="1 wrong color")
    ]


def test_what_was_told_before_a_refusal_is_not_counted_on_after_it() -> None:
    engine = Engine()
    assert engine.told(play.SetPosition(moves=("d3",))) == ["clear_board", "play b D3"]
    engine.says("=", "", "=", "")
    assert engine.told(play.Move(moves=("a1",))) == ["play w A1"]
    assert engine.told(play.Move(moves=("e3",))) == ["play b E3"]
    assert engine.told(play.Ping()) == ["protocol_version"]
    engine.says("? illegal move", "", "=", "", "= 2", "")
    position = play.SetPosition(moves=("d3", "a1", "e3", "f6"))
    assert engine.told(position)[0] == "clear_board"


@pytest.mark.parametrize("vertex", ["= ", "= d3 d4", "= I think", "= resign"])
def test_no_move_for_an_answer(vertex: str) -> None:
    engine = Engine()
    engine.told(play.Go())
    (heard,) = engine.says(vertex, "")
    if vertex == "= resign":
        assert heard == play.BestMove(move="resign")
    else:
        assert isinstance(heard, Fault)
        assert f"{vertex!r}: answer to genmove b: " in heard.error.message


def test_an_answer_of_several_lines_is_named_by_its_first() -> None:
    engine = Engine()
    engine.told(play.Go())
    (heard,) = engine.says("# thinking", "= I think", "that I am", "")
    assert isinstance(heard, Fault)
    assert heard.error.message.startswith("line 10, '= I think': answer to genmove b: ")


def test_of_a_response_without_end_the_beginning_is_kept() -> None:
    engine = Engine("time_left", *["x"] * 2000, "time_settings")
    assert engine.told(play.Go(limits=Limits(movetime=5000))) == [
        "time_left b 5 1",
        "genmove b",
    ]


def test_times_below_a_second_are_not_told() -> None:
    engine = Engine("time_left", "time_settings")
    assert engine.told(play.Go(limits=Limits(movetime=999))) == ["genmove b"]
    engine.says("= d3", "")
    assert engine.told(play.Go(limits=Limits(movetime=2500))) == [
        "time_settings 0 2 1",
        "time_left w 2 1",
        "genmove w",
    ]


def test_connect_four_names_squares() -> None:
    engine = Engine()
    engine.told(play.NewGame(game="connect4", size="7x6"))
    assert engine.says("=", "", "=", "") == [play.Ok()]
    assert engine.told(play.SetPosition(moves=("4", "4"))) == ["play b D1", "play w D2"]
    engine.says("=", "", "=", "")
    engine.told(play.Go())
    assert engine.says("= D3", "") == [play.BestMove(move="4", square="d3")]


@pytest.mark.parametrize(
    "command",
    [
        play.SetPosition(fen="8/8/8/3ox3/3xo3/8/8/8 o"),
        play.Go(limits=Limits(depth=3)),
        play.Go(limits=Limits(nodes=3)),
        play.Go(limits=Limits(infinite=True)),
        play.Go(multipv=2),
        play.Go(level=3),
        play.Stop(),
        play.Show(),
        play.SetOption(name="hash", value="1"),
    ],
)
def test_what_it_has_no_words_for(command: Command) -> None:
    with pytest.raises(UnspeakableError):
        ControllerConnection(GtpDriving()).send(command)
