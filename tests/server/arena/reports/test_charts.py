from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from plywire.server.arena.reports.charts import _apart, _ticks, score_chart, signed
from tests.support.game_records import record


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.integers(4, 12))
def test_ticks_are_round_and_few(low, span, most) -> None:
    ticks = _ticks(low, low + span, most)
    assert 1 <= len(ticks) <= most
    slack = 1e-6 * (abs(low) + span)
    assert all(low - slack <= tick <= low + span + slack for tick in ticks)
    if len(ticks) > 1:
        step = ticks[1] - ticks[0]
        assert f"{step:.0e}"[0] in "125"


@given(st.lists(st.floats(12, 300), max_size=8))
def test_labels_do_not_overlap_and_keep_their_order(wanted) -> None:
    places = _apart(wanted, 12, 300)
    ordered = sorted(places)
    assert all(b - a > 15.99 for a, b in pairwise(ordered))
    assert all(11.99 <= place <= 300.01 for place in places)
    ranks = sorted(range(len(wanted)), key=lambda place: wanted[place])
    assert [places[place] for place in ranks] == ordered


def test_signs() -> None:
    assert [signed(value) for value in (3, -3, 0, 0.4, -0.4)] == ["+3", "−3", "0", "0", "0"]
    assert [signed(value, 1) for value in (2.5, -2.0, 0.04)] == ["+2.5", "−2", "0"]


def test_long_lines_are_thinned_but_end_where_they_end() -> None:
    games = [record(number, "a", "b", 1) for number in range(5000)]
    chart = score_chart(games, ["a", "b"])
    (line,) = [line for line in chart.lines if line.player == "a"]
    assert line.balance == 2500
    points = line.points.split()
    assert len(points) <= 241
    assert points[-1] == f"{line.end[0]},{line.end[1]}"
