"""How a game ended, in a sentence."""

import pytest

from plywire.clients.errors import Termination
from plywire.clients.matches.outcomes import sentence


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


def test_each_fault_has_its_words() -> None:
    said = {sentence(("a", "b"), 1, 2, "b: details", end) for end in Termination if end.is_failure}
    assert len(said) == sum(end.is_failure for end in Termination)
    assert all("b (details)" not in each and "(details)" in each for each in said)
