import posixpath
import re
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywire.clients.play.errors import Termination
from plywire.clients.play.judging.accuracy import Accuracy, GameAccuracy, Judged
from plywire.clients.play.ratings.glicko2 import Glicko
from plywire.engine.registry import load
from plywire.server.arena.reports import tournament_report
from plywire.server.arena.reports.analysis_links import AnalysisLinks
from plywire.server.arena.reports.tournament_report import Report, ReportPages
from plywire.server.arena.store.rating_list import Rated
from plywire.server.arena.tournament.pairings import Knockout, Ranking, RoundRobin, Swiss
from tests.support.game_records import record

VOID = {"meta"}
LATE = "connect4&size=7x6&fen=7%2F7%2F7%2F7%2F7%2F3xo2+x&moves=5&at=0"
HOSTILE = "<script>alert('1')</script>"


class Page(HTMLParser):
    """Checks that elements are closed in order, and collects what a test asks for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.rows: list[list[str]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data.strip()

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def row(self, start: str, section: int) -> list[str]:
        """The row of a player in the table that comes in that place, from 0."""
        return [row for row in self.rows if start in row[:2]][section]


def all_pages(report: Report, accuracies=None, links=None) -> dict[str, str]:
    """The pages by their paths."""
    pages = ReportPages(report, "cup.html", links)
    made = {}
    for place in range(0, len(report.games), tournament_report.GAMES):
        games = report.games[place : place + tournament_report.GAMES]
        made |= pages.add([(game, (accuracies or {}).get(game.number)) for game in games])
    return made | dict(pages.rest())


def render(report: Report, accuracies=None) -> str:
    """The only page."""
    ((name, text),) = all_pages(report, accuracies).items()
    assert name == "cup.html"
    return text


def tournament(names, winner=lambda first, second, number: (None, 1, 2)[number % 3]):
    schedule = RoundRobin(games=4).schedule(names, {})
    return [
        record(meeting.number, *meeting.players, winner(*meeting.players, meeting.number))
        for pairing in schedule.pairings
        for meeting in pairing.meetings
    ]


def numbers(page: Page) -> list[float]:
    """All places in the charts."""
    keys = ("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "width", "height", "points", "d")
    return [
        float(number)
        for tag, attributes in page.elements
        if tag not in ("svg", "meta")
        for key in keys
        if (value := attributes.get(key)) is not None
        for number in re.findall(r"-?\d+\.?\d*(?:e[+-]?\d+)?|nan|inf", value)
    ]


def test_standings_and_crosstable() -> None:
    games = tournament(["ada", "bob", "cy"], lambda first, second, _: 1 if first < second else 2)
    page = Page(render(Report("Cup", games, ["cy", "bob", "ada"])))
    assert page.row("ada", 0)[:8] == ["1", "ada", "8", "8", "100 %", "8", "0", "0"]
    assert page.row("bob", 0)[:8] == ["2", "bob", "4", "8", "50 %", "4", "0", "4"]
    assert page.row("bob", 0)[-2:] == ["0.00", "50 %"]
    assert page.row("ada", 1) == ["1", "ada", "", "4+4 =0 −0", "4+4 =0 −0"]
    assert page.row("bob", 1) == ["2", "bob", "0+0 =0 −4", "", "4+4 =0 −0"]
    superiority = page.row("ada", 2)
    assert superiority[2] == ""
    assert all(int(cell.strip("> %")) > 50 for cell in superiority[3:])


def test_points_of_a_bye_are_told_apart() -> None:
    names = ["ada", "bob", "cy"]
    schedule = Swiss(games=2).schedule(names, {})
    page = Page(render(Report("Cup", [], names, schedule=schedule)))
    (bye,) = schedule.byes
    assert page.row(bye.player, 0)[2:4] == ["2(2 of byes)", "0"]


def test_ratings_and_lines_are_drawn_for_everybody() -> None:
    names = [f"player {number}" for number in range(12)]
    page = Page(render(Report("Cup", tournament(names), names)))
    bars = [item for item in page.elements if item[1].get("class") == "bar"]
    whiskers = [item for item in page.elements if item[1].get("class") == "whisker"]
    lines = [item for tag, item in page.elements if tag == "polyline"]
    assert len(bars) == len(whiskers) == len(lines) == 12
    # Beyond eight, lines stay in the background.
    coloured = [line["class"] for line in lines if line["class"] != "score"]
    assert sorted(coloured) == [f"score c{number}" for number in range(1, 9)]
    assert all(-1 <= number <= 721 for number in numbers(page))


def test_moves_and_time() -> None:
    games = [
        record(0, "ada", "bob", 1, moves="4 4 3 3 2", opening=1),  # times 100 107 114 121 ms
        record(1, "bob", "ada", 1, moves="4 4 3", opening=2),  # 100 ms
    ]
    accuracies = {
        0: GameAccuracy(
            values=(0, 0, 1, 1, 1),
            players=(Judged(moves=2, best=2, sound=2), Judged(moves=2, best=1, sound=1)),
            losing_move=1,
        )
    }
    page = Page(render(Report("Cup", games, ["ada", "bob"]), accuracies))
    # After one move of the opening bob moves: 100 and 114 ms; after two of them, bob again.
    assert page.row("bob", 3) == [
        *("bob", "3", "105 ms", "114 ms", "314 ms", "2", "50 %", "50 %", "1", "–"),
    ]
    assert page.row("ada", 3) == [
        *("ada", "2", "114 ms", "121 ms", "228 ms", "2", "100 %", "100 %", "–", "–"),
    ]
    assert "2: 4" in page.rows[-2]


def test_times_are_the_players_also_when_the_second_begins() -> None:
    kind = load("connect4")
    fen = kind.start().play_names(["4"])[-1].fen()
    games = [record(0, "ada", "bob", 2, moves="4 4 3", opening=0, fen=fen)]
    page = Page(render(Report("Cup", games, ["ada", "bob"])))
    assert page.row("bob", 3)[:2] == ["bob", "2"]


def test_ends_are_told_apart_and_blamed() -> None:
    games = [
        record(0, "ada", "bob", 1, termination=Termination.TIME, reason="bob: took 9 s"),
        record(1, "bob", "ada", 2, termination=Termination.ILLEGAL_MOVE, reason="bob: no move 9"),
        record(2, "ada", "bob", None),
    ]
    page = Page(render(Report("Cup", games)))
    assert page.row("bob", 3)[-1] == "1 time,1 illegal move"
    assert "1 by time, 1 by illegal move, 1 ended by the rules" in page.text
    faults = [item for _, item in page.elements if "fault" in (item.get("class") or "").split()]
    assert len(faults) == 4


def test_the_last_lines_of_who_failed_are_shown() -> None:
    lines = ("> go movetime 10", f"< {HOSTILE}")
    crashed = record(0, "ada", "bob", 2, termination=Termination.CRASH, reason="ada: exited")
    page = Page(render(Report("Cup", [crashed.model_copy(update={"last_lines": lines})])))
    assert "\n".join(lines) in page.words
    assert "ada: exited" in page.words


def test_a_game_that_was_called_off_is_listed_but_decides_nothing() -> None:
    games = [record(0, "ada", "bob", 1), record(1, "bob", "ada", termination=Termination.ABORT)]
    text = render(Report("Cup", games))
    page = Page(text)
    assert [row[3] for row in page.rows[-2:]] == ["1–0", "–"]
    assert page.row("ada", 0)[2:4] == ["1", "1"]
    (line,) = [item for tag, item in page.elements if item.get("class") == "score c1"]
    assert len(line["points"].split()) == 2


def test_ratings_that_last_are_listed_by_game() -> None:
    before, after = Glicko(1500, 350, 0.06), Glicko(1612.4, 210.6, 0.06)
    rated = {
        "othello": [Rated("ada", after, 9, before, 3), Rated("bob", Glicko(1388, 200, 0.06), 2)],
        "connect4": [Rated("bob", after, 1)],
    }
    page = Page(render(Report("Cup", [record(0, "ada", "bob", 1)], rated=rated)))
    assert ["1", "ada", "1612", "± 421", "+112", "3", "9"] in page.rows
    assert ["2", "bob", "1388", "± 400", "new", "0", "2"] in page.rows
    assert page.text.index("Rating list: othello") < page.text.index("Rating list: connect4")
    assert "Glicko-2" not in Page(render(Report("Cup", []))).text


def test_the_lag_is_shown_apart_from_the_time() -> None:
    far = record(0, "ada", "bob", 1).model_copy(update={"lags": (30, 0)})
    page = Page(render(Report("Cup", [far, record(1, "ada", "bob", 1)])))
    headings = next(row for row in page.rows if "Mean time" in row)
    lag = {row[0]: row[headings.index("Lag")] for row in page.rows if len(row) == len(headings)}
    assert (lag["ada"], lag["bob"]) == ("–", "15 ms")
    page = Page(render(Report("Cup", [record(1, "ada", "bob", 1)])))
    assert "Lag" not in next(row for row in page.rows if "Mean time" in row)


def test_the_order_is_the_formats() -> None:
    schedule = Knockout().schedule(["ada", "bob"], {0: (1.0, 1.0), 1: (0.5, 1.5)})
    games = [record(n, "ada", "bob", winner) for n, winner in enumerate((1, 2, None, 2))]
    report = Report("Cup", games, ranking=Ranking.PROGRESS, schedule=schedule)
    assert [row[1] for row in Page(render(report)).rows[1:3]] == ["bob", "ada"]


def test_it_needs_nothing_else() -> None:
    text = render(Report("Cup", tournament(["ada", "bob", "cy"]), summary="https://x.example"))
    page = Page(text)
    assert {tag for tag, _ in page.elements} & {
        "script",
        "link",
        "img",
        "iframe",
        "object",
    } == set()
    fetching = {"src", "href", "xlink:href", "data", "action", "srcset", "poster"}
    assert not any(fetching & set(attributes) for _, attributes in page.elements)
    style = text[text.index("<style>") : text.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    assert "default-src 'none'" in text


@pytest.mark.parametrize("name", [HOSTILE, '" onload="x', "{{ 7 * 7 }}", "a & b <", "]]>", "'"])
def test_names_and_reasons_are_only_text(name) -> None:
    games = [record(0, name, "bob", 1, reason=name, termination=Termination.CRASH)]
    plain = Page(render(Report("t", [record(0, "ada", "bob", 1, termination=Termination.CRASH)])))
    report = Report(name, games, facts=[(name, name)], summary=name)
    page = Page(render(report))
    assert [tag for tag, _ in page.elements if tag not in ("p", "dl", "div", "dt", "dd")] == [
        tag for tag, _ in plain.elements if tag not in ("p", "dl", "div", "dt", "dd")
    ]
    assert not any(key.startswith("on") for _, attributes in page.elements for key in attributes)
    assert page.text.count(" ".join(name.split())) >= 5


@pytest.mark.parametrize("names", [[], ["ada"], ["ada", "bob"]])
def test_a_tournament_that_has_not_begun(names) -> None:
    page = Page(render(Report("Cup", [], names)))
    assert page.row("ada", 0)[2:5] == ["0", "0", "–"] if names else True
    assert "Games" not in [word.strip() for word in page.words if word.strip() == "300 games"]
    assert not any(tag == "polyline" for tag, _ in page.elements)


@given(st.integers(2, 10), st.integers(1, 60), st.lists(st.sampled_from([1, 2, None]), min_size=1))
def test_charts_hold_only_places_inside_of_them(players, games, winners) -> None:
    names = [f"p{number}" for number in range(players)]
    records = [
        record(n, names[n % players], names[(n + 1) % players], winners[n % len(winners)])
        for n in range(games)
    ]
    page = Page(render(Report("Cup", records, names)))
    assert all(-1 <= number <= 721 for number in numbers(page))
    assert "nan" not in page.text.lower().replace("superiority", "")


def large_tournament(players: int, games: int) -> Report:
    names = [f"player & {number}" for number in range(players)]
    records = [
        record(
            n, names[n % players], names[(n * 7 + 1 + n // players) % players], (1, 2, None)[n % 3]
        )
        for n in range(games)
    ]
    return Report("Cup", [one for one in records if len(set(one.players)) == 2], names)


def test_many_games_have_pages_of_their_own_with_the_same_numbers(monkeypatch) -> None:
    report = large_tournament(12, 1300)
    paged = all_pages(report)
    monkeypatch.setattr(tournament_report, "GAMES", 10_000)
    pages = ReportPages(report, "cup.html")
    assert not list(pages.add([(game, None) for game in report.games]))
    ((_, whole),) = pages.rest()
    first = Page(paged.pop("cup.html"))
    one = Page(whole)
    rows = [row for page in paged.values() for row in Page(page).rows if row[0].isdecimal()]
    assert [row for row in one.rows if row[0].isdecimal()][-len(rows) :] == rows
    assert [int(row[0]) for row in rows] == [game.number + 1 for game in report.games]
    assert first.rows == one.rows[: len(first.rows)]
    assert len(paged) == 3


def test_every_link_leads_somewhere() -> None:
    report = large_tournament(64, 1200)
    pages = {unquote(path): Page(text) for path, text in all_pages(report).items()}
    assert sum("players-" in path for path in pages) == 7
    anchors = {path: {item.get("id") for _, item in page.elements} for path, page in pages.items()}
    reached = set()
    for path, page in pages.items():
        for _, attributes in page.elements:
            if (href := attributes.get("href")) is None:
                continue
            target, _, anchor = unquote(href).partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            reached.add((path == "cup.html", target))
            assert not anchor or anchor in anchors[target]
    beside = {path for path in pages if path != "cup.html"}
    assert {target for is_first, target in reached if is_first} == beside
    assert {target for is_first, target in reached if not is_first} == set(pages)


def test_each_game_leads_to_its_analysis(monkeypatch) -> None:
    othello = record(1, "a", "b", 2, game="othello", moves="f5 d6", opening=0)
    late = record(2, "a", "b", 1, moves="5", opening=0, fen="7/7/7/7/7/3xo2 x")
    games = [record(0, "a", "b", 1), othello, late, record(3, "a", "b", moves="", opening=0)]
    accuracies = {2: Accuracy(players=(Judged(), Judged()), losing_move=0)}
    report = Report("Cup", games)
    connect4, black_and_white = "connect4&size=7x6", "othello&size=8x8&moves=f5.d6"
    first = f"{connect4}&moves=4.4.3"
    for known, addresses in (
        (None, (first, black_and_white, LATE, connect4)),
        ({"connect4"}, (first, LATE, connect4)),
    ):
        links = AnalysisLinks("../", known)
        shown = all_pages(report, accuracies, links)["cup.html"]
        found = [href for _, href in analyses(shown)]
        assert found == [f"../#mode=analyse&game={address}" for address in addresses]
        assert len({len(row) for row in Page(shown).rows[-len(games) - 1 :]}) == 1
    assert analyses(render(report)) == []
    monkeypatch.setattr(tournament_report, "GAMES", 2)
    for page, beside in (("../", "../../"), ("https://x.org/p/", "https://x.org/p/"), ("/", "/")):
        pages = all_pages(report, accuracies, AnalysisLinks(page))
        text = pages["cup-pages/games-002.html"]
        (first, address), _ = analyses(text)
        assert first == "Analyse game 3"
        assert address == f"{beside}#mode=analyse&game={LATE}"


def analyses(text: str) -> list[tuple[str, str]]:
    """The links to analyses: what they are called, and where they lead."""
    found = (attributes for tag, attributes in Page(text).elements if tag == "a")
    named = ((each.get("aria-label") or "", each["href"] or "") for each in found)
    return [(name, address) for name, address in named if name.startswith("Analyse")]


def test_players_are_told_with_all_their_opponents() -> None:
    report = large_tournament(64, 1200)
    pages = all_pages(report)
    (standing,) = [one for one in report.standings() if one.player == "player & 5"]
    (told,) = [
        text for path, text in pages.items() if "players-" in path and "player &amp; 5</h2>" in text
    ]
    section = told[told.index("player &amp; 5</h2>") :].partition("</section>")[0]
    rows = Page(section[section.index("</h2>") + 5 :]).rows[1:]
    assert {row[1]: (*map(int, row[3:6]),) for row in rows} == {
        name: (tally.wins, tally.draws, tally.losses) for name, tally in standing.against.items()
    }
    ranks = [int(row[0]) for row in rows]
    assert ranks == sorted(ranks)


def test_the_moves_of_a_game_are_told() -> None:
    page = Page(render(Report("Cup", [record(0, "ada", "bob", 1, moves="4 4 3 3 2", opening=2)])))
    assert page.rows[-1][-3] == "54 43 3 2"
    assert [item for _, item in page.elements if item.get("id") == "g1"]
