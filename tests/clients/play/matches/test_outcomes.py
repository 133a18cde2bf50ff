"""How a game ended, in a sentence."""

import pytest

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.outcomes import Failures, failure_lines, sentence


@pytest.mark.parametrize(
    ("winner", "reason", "termination", "expected"),
    [
        (1, "four in a row", Termination.NORMAL, "you (x) beat bob in 34 moves, four in a row"),
        (2, "four in a row", Termination.NORMAL, "bob (o) beat you in 34 moves, four in a row"),
        (
            None,
            "board full",
            Termination.NORMAL,
            "you (x) drew with bob after 34 moves, board full",
        ),
        (
            *(1, "bob: took 12 ms where 10 ms were left", Termination.TIME),
            "you (x) beat bob in 34 moves, bob ran out of time (took 12 ms where 10 ms were left)",
        ),
        (
            *(2, "you: exited with status 1", Termination.CRASH),
            "bob (o) beat you in 34 moves, you crashed (exited with status 1)",
        ),
        (1, "bob resigned", Termination.RESIGNATION, "you (x) beat bob in 34 moves, bob resigned"),
        (
            *(None, "both players left", Termination.ABORT),
            "you (x) broke off against bob after 34 moves, both players left",
        ),
    ],
)
def test_a_sentence(winner, reason, termination, expected) -> None:
    assert sentence(("you", "bob"), winner, 34, reason, termination) == expected


def test_the_number_of_moves_may_be_unknown() -> None:
    assert sentence(("a", "b"), 2, None, "four in a row") == "b (o) beat a, four in a row"
    assert sentence(("a", "b"), None, None, "board full") == "a (x) drew with b, board full"


def test_the_most_frequent_reasons_of_each_fault_are_told() -> None:
    found = Failures({("b", Termination.CRASH, f"error {n}"): n for n in range(1, 6)})
    found["b", Termination.STALL, "no answer in 9 ms"] = 2
    found["a", Termination.STALL, "no answer in 9 ms"] = 1
    assert list(failure_lines(found)) == [
        "a lost by stall: 1",
        "  1 by: no answer in 9 ms",
        "b lost by crash: 15",
        *("  5 by: error 5", "  4 by: error 4", "  3 by: error 3"),
        "  and by 2 other reasons",
        "b lost by stall: 2",
        "  2 by: no answer in 9 ms",
    ]


def test_each_fault_has_its_words() -> None:
    said = {sentence(("a", "b"), 1, 2, "b: details", end) for end in Termination if end.is_failure}
    assert len(said) == sum(end.is_failure for end in Termination)
    assert all("b (details)" not in each and "(details)" in each for each in said)
