"""A server that speaks as GGS and its Othello service do, written from their public documents.

Matches are made by `ask` and `accept`, alone or by auto-accept formulas, with one game or two, from
the usual start or a random one. A player whose connection is lost breaks the match off, which is
stored with its clocks and goes on by `ask .NUMBER`, or, in a tournament, leaves the clock running.
Time is what `now` says, in seconds, so that tests need not wait for it.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from plywire.engine.game import IllegalMoveError, Position
from plywire.engine.registry import load

OTHELLO = load("othello")
_THEIRS = str.maketrans("xo.", "*O-")


def seconds(text: str) -> float:
    """Of [[HH:]MM:]SS."""
    total = 0.0
    for part in text.split(",")[0].split(":"):
        total = 60 * total + float(part or 0)
    return total


@dataclass
class FakeClock:
    """Initial time, increment and extension, in seconds, counted down as the document says."""

    initial: float
    increment: float
    extension: float
    is_soft: bool = True
    is_late: bool = False
    """Whether the initial time was used up where that loses."""
    is_over: bool = False
    """Whether the extension was used up, too."""

    @classmethod
    def parse(cls, text: str) -> FakeClock:
        first, gain, last = (*text.split("/"), "", "", "")[:3]
        return cls(seconds(first), seconds(gain), seconds(last), is_soft="N" not in first)

    def spend(self, gone: float) -> None:
        if gone > self.initial:
            self.is_late |= self.is_soft
            gone -= self.initial
            self.initial, self.extension = 0, self.extension - gone
            self.is_over |= self.extension < 0
        else:
            self.initial -= gone
        self.initial += self.increment

    def __str__(self) -> str:
        def written(time: float) -> str:
            return f"{int(max(time, 0)) // 60:02}:{int(max(time, 0)) % 60:02}"

        gain = written(self.increment) if self.increment else ""
        return f"{written(self.initial)},0:0/{gain}/{written(self.extension)},0:0"


@dataclass
class FakeGame:
    id: str
    names: tuple[str, str]
    start: Position
    clocks: tuple[FakeClock, FakeClock]
    first_clock: str
    """How both clocks were at first."""
    moves: list[str] = field(default_factory=list)
    """As they were sent, evaluation and time included."""
    positions: list[Position] = field(default_factory=list)
    shown: float = 0.0
    score: float | None = None
    """For Black."""
    thought: list[float] = field(default_factory=list)
    """How long each move took, by this clock."""

    @property
    def position(self) -> Position:
        return self.positions[-1] if self.positions else self.start

    @property
    def mover(self) -> str:
        return self.names[self.position.turn]

    def update(self) -> list[str]:
        """The body after a move."""
        return [*self._moves()[-1:], *self._state(self.clocks, self.position)]

    def join(self) -> list[str]:
        """The body as it begins, and for who comes later: where it began, moves, where it is."""
        if not self.moves:
            return ["0 move(s)", "  0: PASS", *self._state(self.clocks, self.start)]
        begun = self._state((self.first_clock, self.first_clock), self.start)
        count = f"{len(self.moves)} move(s)"
        return [count, *begun, *self._moves(), *self._state(self.clocks, self.position)]

    def _moves(self) -> list[str]:
        return [f"{number:3}: {move}" for number, move in enumerate(self.moves, 1)]

    def _state(self, clocks: tuple[FakeClock | str, FakeClock | str], at: Position) -> list[str]:
        players = zip(self.names, "*O", clocks, strict=True)
        lines = [f"{name:<8} (1720.0 {colour}) {clock}" for name, colour, clock in players]
        return [*lines, "", *_board(at)]


def _board(position: Position) -> list[str]:
    rows = [" ".join(row.translate(_THEIRS)) for row in position.cells()]
    return [
        "   A B C D E F G H",
        *(f" {number} {row} {number} " for number, row in enumerate(rows, 1)),
        "   A B C D E F G H",
        "",
        f"{'*O'[position.turn]} to move",
    ]


@dataclass
class FakeMatch:
    id: str
    players: tuple[str, str]
    type: str
    flag: str
    games: list[FakeGame]

    @property
    def head(self) -> str:
        first, second = self.players
        return f"match {self.id} 1720 {first} 1720 {second} {self.type} {self.flag}"


@dataclass
class FakeRequest:
    id: str
    asker: str
    asked: str
    type: str
    clock: str
    stored: str = ""

    @property
    def line(self) -> str:
        asked = f" 1720.0 {self.asked}" if self.asked else ""
        stored = f" {self.stored}" if self.stored else ""
        return f"+  {self.id} 1720.0 {self.asker} {self.clock} {self.type:>8} U{asked}{stored}"


class Peer:
    """A connection, before the login too."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self.name = ""
        self.open = 0
        self.accepts_all = False

    def send(self, head: str, body: list[str] | None = None) -> None:
        self.raw("\r\n".join([head, *(f"|{line}" for line in body or [])]) + "\r\nREADY\r\n")

    def raw(self, text: str) -> None:
        if not self.writer.transport.is_closing():
            self.writer.write(text.encode())


class FakeGgs:
    """The server; `passwords` are of those who may log in, everybody if there are none."""

    def __init__(
        self,
        passwords: dict[str, str] | None = None,
        now: Callable[[], float] = time.monotonic,
        seed: int = 1,
    ) -> None:
        self.now = now
        self.passwords = passwords
        self.peers: dict[str, Peer] = {}
        self.told: list[tuple[str, str]] = []
        """Who said what, in order; not the positions played."""
        self.requests: dict[str, FakeRequest] = {}
        self.matches: dict[str, FakeMatch] = {}
        self.stored: dict[str, FakeMatch] = {}
        self.finished: list[FakeMatch] = []
        self.faults: list[str] = []
        """What was refused."""
        self.broken_off = 0
        self.tournament = False
        """Whether matches go on, and clocks run, while a player is not there."""
        self._random = random.Random(seed)
        self._number = 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._serving: set[asyncio.Task[None]] = set()
        self.connected = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()
        await asyncio.gather(*self._serving)
        await self._server.wait_closed()

    def cut(self, *names: str) -> None:
        """Lose the connections of those players, of all if none is named."""
        writers = [self.peers[name].writer for name in names if name in self.peers]
        for writer in writers if names else self._writers:
            writer.transport.abort()

    def commands(self, name: str) -> list[str]:
        return [text for who, text in self.told if who == name]

    # ---- a connection ----

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        self._writers.add(writer)
        self.connected += 1
        peer = Peer(writer)
        try:
            peer.raw(": Enter login (yours, or one you'd like to use).\r\n")
            name = (await reader.readline()).decode().strip()
            peer.raw(": Enter your password.\r\n")
            password = (await reader.readline()).decode().strip()
            if self.passwords is not None and self.passwords.get(name) != password:
                peer.raw(": ERR Password is incorrect.\r\n")
                return
            if (old := self.peers.get(name)) is not None:
                old.writer.transport.abort()
                self._leave(old)
            peer.name, self.peers[name] = name, peer
            peer.raw("Welcome!\r\n|news\r\nREADY\r\n")
            for match in [*self.matches.values()]:
                if name in match.players:
                    self._show_match(match, name)
            while line := (await reader.readline()).decode(errors="replace").strip():
                self._command(peer, line)
        except (OSError, ValueError):
            pass
        finally:
            self._leave(peer)
            self._writers.discard(writer)
            self._serving.discard(task)
            writer.close()

    def _leave(self, peer: Peer) -> None:
        if self.peers.get(peer.name) is not peer:
            return
        del self.peers[peer.name]
        for request in [*self.requests.values()]:
            if peer.name in (request.asker, request.asked):
                self._drop(request)
        for match in [*self.matches.values()]:
            if peer.name in match.players and match.flag != "T":
                self._break_off(match, peer.name)

    def _tell(self, names: tuple[str, ...], head: str, body: list[str] | None = None) -> None:
        for name in dict.fromkeys(names):
            if name in self.peers:
                self.peers[name].send(f"/os: {head}", body)

    def _command(self, peer: Peer, line: str) -> None:
        self.told.append((peer.name, line))
        service = re.fullmatch(r"(?:tell|t) /os (\S+) ?(.*)", line)
        if service is None:
            if said := re.fullmatch(r"tell (\S+) (.*)", line):
                for name in [said[1]] if said[1] in self.peers else []:
                    self.peers[name].send(f"{peer.name}: {said[2]}")
            return
        words = service[2].split()
        verb = getattr(self, f"_do_{service[1]}", None)
        problem = "bad command" if verb is None else verb(peer, *words[:8])
        if problem:
            self.faults.append(f"{peer.name}: {line}: {problem}")
            peer.send(f"/os: ERR {problem}")

    # ---- commands of the service; each returns what is wrong ----

    def _do_client(self, peer: Peer, *_: str) -> str:
        return ""

    _do_trust = _do_rated = _do_client

    def _do_open(self, peer: Peer, number: str = "1") -> str:
        peer.open = int(number)
        return ""

    def _do_aform(self, peer: Peer, formula: str = "") -> str:
        peer.accepts_all = formula == "1"
        return ""

    def _do_stored(self, peer: Peer, *_: str) -> str:
        mine = [(id_, one) for id_, one in self.stored.items() if peer.name in one.players]
        lines = [
            f"{id_:<8} 23 Feb 2001 23:17:39 {one.players[0]:<8} {one.players[1]:<8} {one.type}:l"
            for id_, one in mine
        ]
        peer.send(f"/os: stored {len(mine)} {peer.name}", lines)
        return ""

    def _do_ask(self, peer: Peer, *words: str) -> str:
        if words and words[0].startswith("."):
            match = self.stored.get(words[0])
            if match is None or peer.name not in match.players:
                return "not found"
            other = match.players[1 - match.players.index(peer.name)]
            type_, clock, asked, stored = match.type, "00:00", other, words[0]
        else:
            type_, *rest = (*words, "")
            clocks = [word for word in rest if re.search(r"[:/]", word)]
            asked = next((word for word in rest if word and word not in clocks), "")
            clock, stored = (clocks or ["15:00//02:00"])[0], ""
        if asked and asked not in self.peers:
            return f"{asked} not found"
        if asked and self.peers[asked].open <= self._busy(asked):
            return f"{asked} is not accepting"
        if peer.open <= self._busy(peer.name):
            return "you are not accepting"
        self._number += 1
        request = FakeRequest(f".{self._number}", peer.name, asked, type_, clock, stored)
        for other_request in [*self.requests.values()]:
            if other_request.stored and other_request.stored == stored:
                if other_request.asker == peer.name:
                    return "request already exists"
                return self._begin(other_request, peer.name)
            if (
                not stored
                and (other_request.type, other_request.clock) == (type_, clock)
                and other_request.asker != peer.name
                and other_request.asked in ("", peer.name)
                and asked in ("", other_request.asker)
            ):
                return self._begin(other_request, peer.name)
        self.requests[request.id] = request
        if asked and self.peers[asked].accepts_all:
            return self._begin(request, asked)
        names = (peer.name, asked) if asked else tuple(self.peers)
        self._tell(names, request.line)
        return ""

    def _do_accept(self, peer: Peer, id_: str = "") -> str:
        request = self.requests.get(id_)
        if request is None or request.asked not in ("", peer.name) or request.asker == peer.name:
            return "request not found"
        return self._begin(request, peer.name)

    def _do_decline(self, peer: Peer, id_: str = "") -> str:
        request = self.requests.get(id_)
        if request is None or request.asked != peer.name:
            return "request not found"
        self._drop(request)
        return ""

    def _do_play(self, peer: Peer, id_: str = "", text: str = "") -> str:
        game = self._game(id_)
        if game is None:
            return f"match {id_} not found"
        if game.mover != peer.name:
            return f"not your turn in {id_}"
        name = text.split("/")[0].lower()
        name = "pass" if name in ("pa", "pass") else name
        try:
            after = game.position.play(OTHELLO.parse_move(game.position, name))
        except IllegalMoveError:
            return f"illegal move {text} in {id_}"
        clock = game.clocks[game.position.turn]
        gone = self.now() - game.shown
        clock.spend(gone)
        game.thought.append(gone)
        if clock.is_over:
            self._end_game(game, -64 if game.position.turn == 0 else 64, "(time)")
            return ""
        game.moves.append(text)
        game.positions.append(after)
        game.shown = self.now()
        self._tell(game.names, f"update {game.id} 8 K?", game.update())
        if (result := after.result()) is not None:
            score = result.score
            if any(clock.is_late for clock in game.clocks):
                score = min(score, -2) if game.clocks[0].is_late else max(score, 2)
            self._end_game(game, score)
        return ""

    def _do_resign(self, peer: Peer, id_: str = "") -> str:
        game = self._game(id_)
        if game is None or peer.name not in game.names:
            return f"match {id_} not found"
        self._end_game(game, -64 if game.names[0] == peer.name else 64, f"{peer.name} resigned")
        return ""

    # ---- requests and matches ----

    def _busy(self, name: str) -> int:
        return sum(name in match.players for match in self.matches.values())

    def _game(self, id_: str) -> FakeGame | None:
        games = [game for match in self.matches.values() for game in match.games]
        return next((game for game in games if game.id == id_ and game.score is None), None)

    def _drop(self, request: FakeRequest) -> None:
        del self.requests[request.id]
        names = (request.asker, request.asked) if request.asked else tuple(self.peers)
        self._tell(names, f"- {request.id}")

    def _begin(self, request: FakeRequest, other: str) -> str:
        if self.peers[other].open <= self._busy(other):
            return "you are not accepting"
        if self.peers[request.asker].open <= self._busy(request.asker):
            return f"{request.asker} is not accepting"
        self.requests.pop(request.id, None)
        self._number += 1
        id_ = f".{self._number}"
        if request.stored:
            match = self.stored.pop(request.stored)
            match.id = id_
            for number, game in enumerate(match.games):
                game.id = f"{id_}.{number}" if len(match.games) > 1 else id_
        else:
            match = self._new_match(id_, request, other)
        self.matches[id_] = match
        for name in match.players:  # at the limit, all other requests are silently dropped
            if self.peers[name].open <= self._busy(name):
                for one in [*self.requests.values()]:
                    if name in (one.asker, one.asked):
                        del self.requests[one.id]
        for game in match.games:
            game.shown = self.now()
        for name in match.players:
            self._show_match(match, name)
        return ""

    def _new_match(self, id_: str, request: FakeRequest, other: str) -> FakeMatch:
        found = re.fullmatch(r"(s?)8(?:r(\d*))?([bw]?)", request.type)
        synchro, discs, colour = found.groups() if found else ("", None, "")
        start = OTHELLO.start()
        while discs is not None and 60 - start.plies_left < int(discs or 20) - 4:
            start = start.play(self._random.choice(start.moves()))
            if start.is_over:
                start = OTHELLO.start()
        players = (request.asker, other)
        if colour == "w" or (not colour and self._random.random() < 0.5):
            players = (other, request.asker)
        names = [players, players[::-1]][: 2 if synchro else 1]
        games = [
            FakeGame(
                f"{id_}.{number}" if synchro else id_,
                pair,
                start,
                (FakeClock.parse(request.clock), FakeClock.parse(request.clock)),
                str(FakeClock.parse(request.clock)),
            )
            for number, pair in enumerate(names)
        ]
        flag = "T" if self.tournament else "U"
        return FakeMatch(id_, players, request.type, flag, games)

    def _show_match(self, match: FakeMatch, name: str) -> None:
        self._tell((name,), f"+ {match.head}")
        for game in match.games:
            if game.score is None:
                head = f"join {game.id} {match.type} K?"
                self._tell((name,), head, game.join())

    def _end_game(self, game: FakeGame, score: float, reason: str = "") -> None:
        game.score = score
        first, second = game.names
        head = f"end {game.id} ( {first} vs. {second} ) {score:+.2f} {reason}".rstrip()
        self._tell(game.names, head)
        match = next(match for match in self.matches.values() if game in match.games)
        if all(one.score is not None for one in match.games):
            del self.matches[match.id]
            self.finished.append(match)
            mine = [
                one.score if one.names[0] == match.players[0] else -(one.score or 0)
                for one in match.games
            ]
            mean = sum(value or 0 for value in mine) / len(mine)
            self._tell(match.players, f"- {match.head} {mean:+.2f}  .{90000 + len(self.finished)}")

    def _break_off(self, match: FakeMatch, name: str) -> None:
        del self.matches[match.id]
        self.broken_off += 1
        self._number += 1
        id_ = f".{40000 + self._number}"
        self.stored[id_] = match
        for game in match.games:
            if game.score is None:
                gone = self.now() - game.shown
                clock = game.clocks[game.position.turn]
                clock.initial = max(clock.initial - gone, 0.0)
        self._tell(match.players, f"- {match.head} {name} left  {id_}")
