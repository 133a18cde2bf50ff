import pytest

from plywire.protocol.connection import EngineConnection, Fault, Ignored
from plywire.protocol.controller_connection import ControllerConnection
from plywire.protocol.dialects.uxi.uci import UciAnswering, UciDriving
from plywire.protocol.errors import UnspeakableError
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.play import Score

CFOUR = "7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1"
TICTACTOE = "3/3/3[PPPPPpppp] w - - 0 1"


def take(connection: EngineConnection, line: str) -> Command:
    connection.receive_text(line)
    command = connection.next_command()
    assert not isinstance(command, Fault | Ignored | None), command
    return command


def playing(game: str) -> EngineConnection:
    connection = EngineConnection(UciAnswering())
    command = take(connection, f"setoption name UCI_Variant value {game}")
    connection.send(play.Ok(), command)
    return connection


def test_the_greeting_offers_variants_and_options() -> None:
    connection = EngineConnection()
    hello = play.HelloAnswer(
        software="1.2",
        games=("connect4", "tictactoe", "othello"),
        options=(play.Option(name="hash", default=16, min=1, max=1024),),
    )
    connection.send(hello, take(connection, "uci"))
    assert connection.lines_to_send() == [
        "id name plywire 1.2",
        "id author the Plywire authors",
        "option name UCI_Variant type combo default cfour var cfour var tictactoe var othello",
        "option name Hash type spin default 16 min 1 max 1024",
        "uciok",
    ]


def test_a_variant_is_a_game() -> None:
    connection = EngineConnection(UciAnswering())
    for value, game in [("cfour", "connect4"), ("tictactoe", "tictactoe"), ("chess", "chess")]:
        command = take(connection, f"setoption name uci_variant value {value}")
        assert command == play.NewGame(game=game)


@pytest.mark.parametrize(
    ("line", "clock"),
    [
        ("go wtime 5 btime 6 winc 7 binc 8", Clock(p1=5, p2=6, inc1=7, inc2=8)),
        ("go wtime 5", Clock(p1=5, p2=5)),
        ("go btime 6 binc 1", Clock(p1=6, p2=6, inc2=1)),
        ("go wtime 5 btime -6 movestogo 30", Clock(p1=5, p2=0)),
    ],
)
def test_white_is_the_first_player_and_a_time_left_out_is_the_others(
    line: str, clock: Clock
) -> None:
    assert take(EngineConnection(UciAnswering()), line) == play.Go(limits=Limits(clock=clock))


def test_connect_four_is_the_usual_game() -> None:
    connection = EngineConnection(UciAnswering())
    assert take(connection, f"position fen {CFOUR} moves P@d1 p@d2 a1") == play.SetPosition(
        fen="7/7/7/7/7/7 x", moves=("4", "4", "1")
    )


def test_the_servers_first_game_is_the_usual_one() -> None:
    connection = EngineConnection(UciAnswering())
    connection.send(play.HelloAnswer(games=("othello", "connect4")), take(connection, "uci"))
    command = take(connection, "position startpos moves P@d3")
    assert command == play.SetPosition(moves=("d3",))


def test_a_variant_that_is_refused_changes_nothing() -> None:
    connection = EngineConnection(UciAnswering())
    refused = take(connection, "setoption name UCI_Variant value chess")
    connection.send(Error(code=ErrorCode.UNKNOWN_GAME, message="no"), refused)
    command = take(connection, "position startpos moves P@d1")
    assert command == play.SetPosition(moves=("4",))


@pytest.mark.parametrize(
    ("fen", "ours"),
    [
        (TICTACTOE, "3/3/3 x"),
        ("2P/1p1/P2[PPPppp] b - - 0 2", "2x/1o1/x2 o"),
        ("2P/1p1/P2 b", "2x/1o1/x2 o"),
        ("2x/1o1/x2 o", "2x/1o1/x2 o"),
    ],
)
def test_positions_are_translated(fen: str, ours: str) -> None:
    connection = playing("tictactoe")
    assert take(connection, f"position fen {fen}") == play.SetPosition(fen=ours)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("position fen rnbqkbnr/8/8 w KQkq - 0 1", ErrorCode.BAD_POSITION),
        ("position fen 7/7[ w", ErrorCode.BAD_POSITION),
        ("position startpos moves e2e4", ErrorCode.ILLEGAL_MOVE),
        ("position startpos moves P@d2", ErrorCode.ILLEGAL_MOVE),
        ("position startpos moves P@d1 P@d1", ErrorCode.ILLEGAL_MOVE),
        ("position startpos moves Q@d1", ErrorCode.ILLEGAL_MOVE),
        ("query result", ErrorCode.UNKNOWN_COMMAND),
        ("go p1time 3", ErrorCode.SYNTAX),
    ],
)
def test_what_is_refused(line: str, code: ErrorCode) -> None:
    connection = EngineConnection(UciAnswering())
    connection.receive_text(line)
    item = connection.next_command()
    assert isinstance(item, Fault)
    assert item.error.code is code


def test_columns_are_counted_from_the_position() -> None:
    connection = EngineConnection(UciAnswering())
    command = take(connection, "position fen 7/7/7/7/3p3/3P2P w moves P@d3 P@g2 P@a1 P@d4")
    assert command == play.SetPosition(fen="7/7/7/7/3o3/3x2x x", moves=("4", "7", "1", "4"))


@pytest.mark.parametrize(
    ("best", "line"),
    [
        (play.BestMove(move="4", square="d1"), "bestmove P@d1"),
        (play.BestMove(move="d3"), "bestmove P@d3"),
        (play.BestMove(move="pass", square="-"), "bestmove 0000"),
        (play.BestMove(), "bestmove 0000"),
    ],
)
def test_the_best_move_is_a_drop(best: play.BestMove, line: str) -> None:
    connection = EngineConnection(UciAnswering())
    connection.send(best, take(connection, "go"))
    assert connection.lines_to_send() == [line]


def test_a_column_alone_cannot_be_told() -> None:
    connection = EngineConnection(UciAnswering())
    with pytest.raises(UnspeakableError):
        connection.send(play.BestMove(move="4"), take(connection, "go"))


@pytest.mark.parametrize(
    ("score", "theirs"),
    [
        (Score(kind="cp", value=-35), "cp -35"),
        (Score(kind="win", value=1), "mate 1"),
        (Score(kind="win", value=2), "mate 1"),
        (Score(kind="win", value=3), "mate 2"),
        (Score(kind="loss", value=0), "mate 0"),
        (Score(kind="loss", value=1), "mate -1"),
        (Score(kind="loss", value=2), "mate -1"),
        (Score(kind="loss", value=4), "mate -2"),
        (Score(kind="draw"), "cp 0"),
        (Score(kind="exact", value=-6), "cp -600"),
    ],
)
def test_scores(score: Score, theirs: str) -> None:
    connection = EngineConnection(UciAnswering())
    info = play.Info(
        depth=2, score=score, nodes=3, time=4, nps=5, pv=("4", "4"), squares=("d1", "d2")
    )
    connection.send(info, take(connection, "go"))
    assert connection.lines_to_send() == [
        f"info depth 2 multipv 1 score {theirs} nodes 3 nps 5 hashfull 0 time 4 pv P@d1 P@d2"
    ]


def hear(connection: ControllerConnection, *lines: str) -> list[Event | Fault]:
    for line in lines:
        connection.receive_text(line)
    heard: list[Event | Fault] = []
    while (item := connection.next_event()) is not None:
        heard.append(item)
    return heard


@pytest.mark.parametrize(
    ("game", "fen", "moves", "line"),
    [
        ("connect4", None, ("4", "4", "1"), "position startpos moves P@d1 P@d2 P@a1"),
        (
            "connect4",
            "7/7/7/7/3o3/3x3 x",
            ("4",),
            f"position fen 7/7/7/7/3p3/3P3[{'P' * 20}{'p' * 20}] w - - 0 1 moves P@d3",
        ),
        ("tictactoe", "3/3/3 x", ("b2",), f"position fen {TICTACTOE} moves P@b2"),
        ("othello", "8/8/8/3ox3/3xo3/8/8/8 x", ("d3", "pass"), None),
    ],
)
def test_driving_translates_positions(
    game: str, fen: str | None, moves: tuple[str, ...], line: str | None
) -> None:
    connection = ControllerConnection(UciDriving())
    connection.send(play.NewGame(game=game))
    connection.send(play.SetPosition(fen=fen, moves=moves))
    variant = {"connect4": "cfour"}.get(game, game)
    assert connection.lines_to_send() == [
        f"setoption name UCI_Variant value {variant}",
        "ucinewgame",
        "isready",
        line or f"position fen {fen} moves P@d3 0000",
        "isready",
    ]


def test_driving_reads_drops_as_moves() -> None:
    connection = ControllerConnection(UciDriving())
    connection.send(play.Go())
    heard = hear(
        connection,
        "info depth 1 score mate -2 nodes 1 time 1 nps 1 pv P@d1 P@a1",
        "info depth 2 score mate 3 pv e2e4",
        "bestmove P@d1",
    )
    assert heard == [
        play.Info(
            depth=1,
            score=Score(kind="loss", value=4),
            nodes=1,
            time=1,
            nps=1,
            pv=("4", "1"),
            squares=("d1", "a1"),
        ),
        play.Info(depth=2, score=Score(kind="win", value=5), nodes=0, time=0, nps=0),
        play.BestMove(move="4", square="d1"),
    ]


@pytest.mark.parametrize("move", ["e2e4", "P@", "P@d", "P@aa", "P@a1234567"])
def test_driving_tells_a_move_that_is_none(move: str) -> None:
    connection = ControllerConnection(UciDriving())
    connection.send(play.Go())
    (item,) = hear(connection, f"bestmove {move}")
    assert isinstance(item, Fault)


def test_driving_a_column_that_is_none_does_not_raise_anything_else() -> None:
    connection = ControllerConnection(UciDriving())
    connection.send(play.SetPosition(moves=("99999999", "0")))
    assert connection.lines_to_send()[0] == "position startpos moves P@99999999 P@0"
