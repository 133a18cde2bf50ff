"""A game of a person against a player, in the terminal."""

import asyncio
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from plywire.clients.play import translate
from plywire.clients.play.judging.game_judge import GameJudge
from plywire.clients.play.matches.outcomes import sentence
from plywire.clients.play.notation.reader import NotationError, read_one
from plywire.clients.play.players.async_engine import AsyncEngine
from plywire.clients.play.players.base import GameLine, Player
from plywire.clients.play.players.local import EnginePlayer
from plywire.engine.analysis import AnalysisLine, EngineScore
from plywire.engine.game import Game, IllegalMoveError
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import backend_of
from plywire.engine.search import levels
from plywire.protocol.messages import limits

from .board import draw, landing, side_style

HELP = """\
a move     such as {example}: play it
hint       show the best moves and their values
review     show the proven value of each move so far
undo       take back your last move and the answer
moves      list the legal moves
swap       swap the two players
level N    let the engine play at level N, 1 to 10
new        start a new game
set TEXT   go on from a position or a game, in any notation on one line
help       show this list
quit       leave (so do Ctrl-C and Ctrl-D)"""

_REVIEW = SearchLimits(nodes=1_000_000)
_HINT = SearchLimits(movetime=1000, nodes=2_000_000)


def depth_text(info: AnalysisLine) -> str:
    """Write the depth of a search, in plies, and its confidence: `21@73%`."""
    return str(info.depth) if info.confidence == 100 else f"{info.depth}@{info.confidence}%"


def score_text(score: EngineScore) -> str:
    """Write the value of a position for the player to move."""
    match score.kind:
        case "win":
            return f"wins in {score.value}"
        case "loss":
            return f"loses in {score.value}"
        case "draw":
            return "draw"
        case "exact":
            return f"{score.value:+d} at the end"
    return f"{score.value / 100:+.2f}"


class Terminal:
    """A person's games at a terminal."""

    #: Seconds until a note says that the opponent is still thinking.
    PATIENCE = 5.0

    def __init__(
        self,
        game: Game,
        console: Console,
        read: Callable[[str], str],
        *,
        side: int = 0,
        level: int = 5,
        seed: int | None = None,
        opponent: Player | None = None,
    ) -> None:
        """Play `game` as side 0 or 1 against the engine at a level, or against `opponent`.

        `seed` draws the engine's random choices. `read` shows a prompt and returns a line; it
        raises EOFError at the end of input.
        """
        self._game = game
        self._console = console
        self._read = read
        self._side = side
        self._level = level
        self._engine = EnginePlayer(level=level, seed=seed)
        self._opponent = opponent or self._engine
        self._hints = AsyncEngine()
        self._history = [GameLine.at(game.start())]
        self._verbs: dict[str, Callable[[str], None]] = {
            "hint": self._hint,
            "review": self._review,
            "undo": self._undo,
            "moves": self._moves,
            "swap": self._swap,
            "level": self._set_level,
            "new": self._new,
            "set": self._set,
            "help": self._help,
        }

    def run(self) -> None:
        """Play until the person leaves; raises PlayerError if the opponent fails."""
        # The event loop runs only while a player thinks. At the prompt it does not, so Ctrl-C works
        # there.
        with asyncio.Runner() as self._runner:
            try:
                self._begin()
                while (words := self._ask().split(maxsplit=1)) != ["quit"]:
                    if words:
                        self._obey(words[0].lower(), "".join(words[1:]))
            except (EOFError, KeyboardInterrupt):
                self._console.print()
            finally:
                self._runner.run(self._opponent.close())
                self._hints.close()
            self._console.print("Goodbye.")

    @property
    def _line(self) -> GameLine:
        return self._history[-1]

    def _ask(self) -> str:
        over = self._line.position.is_over
        return self._read("Game over: new, undo or quit? " if over else "Your move (or help): ")

    def _obey(self, word: str, rest: str) -> None:
        if word in self._verbs:
            self._verbs[word](rest)
            return
        try:
            self._play(self._line.play(word))
        except IllegalMoveError as error:
            self._say(f"{error}; help lists the commands")
            return
        self._answer()

    def _begin(self) -> None:
        with self._console.status("Getting ready (the first time on a machine takes a while)"):
            self._runner.run(self._opponent.start(self._game))
        self._history = [GameLine.at(self._game.start())]
        you, it = self._game.players[self._side], self._game.players[1 - self._side]
        self._say(f"{self._game.title}: you are {you} ({'XO'[self._side]}), {it} is the opponent.")
        self._show()
        self._answer()

    def _answer(self) -> None:
        while not self._line.position.is_over and self._line.position.turn != self._side:
            with self._console.status("Thinking"):
                move = self._runner.run(self._chosen())
            self._play(self._line.chosen(move))

    async def _chosen(self) -> int | str:
        # These limits are for the engine at its level. Other players may have their own limits.
        usual = limits.Limits(nodes=levels.positions(self._level))
        told = f"{self._opponent.name} is still thinking; Ctrl-C leaves."
        slow = asyncio.get_running_loop().call_later(self.PATIENCE, self._say, told)
        try:
            return await self._opponent.choose(self._line, self._opponent.limits or usual)
        finally:
            slow.cancel()

    def _play(self, line: GameLine) -> None:
        mover = self._line.position.turn
        self._history.append(line)
        who = self._game.players[mover]
        self._say(f"{who} plays {line.names[-1]}", side_style(line.position, mover))
        self._show()
        if (result := line.position.result()) is not None:
            other = self._opponent.name
            names = (other, "you") if self._side else ("you", other)
            winner = None if result.winner is None else translate.player(result.winner)
            ended = sentence(names, winner, len(line.moves), result.reason)
            self._say(f"{ended[0].upper()}{ended[1:]}.")

    def _show(self) -> None:
        last = None
        if len(self._history) > 1:
            last = landing(self._history[-2].position, self._line.moves[-1])
        self._console.print(draw(self._line.position, last))

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(text, style=style, markup=False, highlight=False)

    def _hint(self, rest: str) -> None:
        position = self._line.position
        if position.is_over:
            self._say("The game is over.")
            return
        with self._console.status("Looking for the best moves"):
            self._runner.run(self._hints.start(self._game))
            lines = self._runner.run(self._hints.analyse(position, _HINT, multipv=3)).lines
        table = Table("move", "worth to you", "depth", "goes on", box=None)
        for info in lines:
            names = [self._game.move_name(move) for move in info.pv]
            best, going_on = names[0], " ".join(names[1:8])
            table.add_row(best, score_text(info.score), depth_text(info), going_on)
        self._console.print(table)

    def _review(self, rest: str) -> None:
        review = GameJudge([line.position for line in self._history], self._line.names)
        table = Table("", "move", "best", "worth after", "lost", "", box=None)
        with self._console.status("Reviewing the game"):
            self._runner.run(self._hints.start(self._game))
            for position in review:
                judged = review.add(self._runner.run(self._hints.analyse(position, _REVIEW)))
                if judged is not None:
                    numbers = ("" if it is None else str(it) for it in (judged.after, judged.lost))
                    mark = "" if judged.mark == "unproven" else judged.mark
                    table.add_row(str(judged.number), judged.move, judged.best, *numbers, mark)
        self._console.print(table)
        for who, judged_moves in zip(self._game.players, review.outcome.players, strict=True):
            if judged_moves.moves:
                best, moves = judged_moves.best, judged_moves.moves
                self._say(f"{who} played {best} of {moves} moves best.")

    def _undo(self, rest: str) -> None:
        back = next(
            (
                place
                for place in range(len(self._history) - 2, -1, -1)
                if self._history[place].position.turn == self._side
            ),
            None,
        )
        if back is None:
            self._say("You have not moved yet: there is nothing to take back.")
            return
        del self._history[back + 1 :]
        self._show()

    def _moves(self, rest: str) -> None:
        position = self._line.position
        self._say(" ".join(map(self._game.move_name, position.moves())) or "The game is over.")

    def _swap(self, rest: str) -> None:
        self._side = 1 - self._side
        self._say(f"You are {self._game.players[self._side]} now.")
        self._answer()

    def _set_level(self, rest: str) -> None:
        if rest.isdecimal() and 1 <= int(rest) <= levels.HIGHEST:
            self._level = self._engine.level = int(rest)
            self._say(f"Level {rest}: {backend_of(self._game).levels.in_words(int(rest))}.")
        else:
            self._say(f"A level is a number from 1 to {levels.HIGHEST}.")

    def _new(self, rest: str) -> None:
        self._begin()

    def _set(self, rest: str) -> None:
        """Continue from the position or game in the text; change nothing if it is unreadable."""
        try:
            found = read_one(rest, [self._game], fixed=True).line
        except NotationError as error:
            self._say(str(error))
            return
        self._history = [GameLine.at(found.start)]
        for name in found.names:
            self._history.append(self._line.play(name))
        self._show()
        self._answer()

    def _help(self, rest: str) -> None:
        moves = self._line.position.moves() or self._game.start().moves()
        self._say(HELP.format(example=self._game.move_name(moves[0])))
