"""A game that connected bots are playing."""

from collections.abc import Awaitable, Callable
from itertools import permutations

from plywire.clients.play.errors import GameEndedError, Termination
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.matches.referee import MoveListener
from plywire.clients.play.players.base import GameLine
from plywire.engine.game import Game
from plywire.protocol.messages import arena
from plywire.protocol.messages.base import ErrorCode
from plywire.server.errors import RefusedError

from .bot_player import BotPlayer
from .remote_bot import RemoteBot


class GameTable:
    """One game of bots: sends them the moves and the end, and can end the game from outside."""

    def __init__(self, identifier: str, players: tuple[BotPlayer, ...], *, may_abort: bool) -> None:
        """Seat the bots; with `may_abort`, a bot may abort before its first move."""
        self.id = identifier
        self.players = players
        self._may_abort = may_abort
        for player in players:
            player.bot.tables[identifier] = player.send_state
        for player, other in permutations(players, 2):
            player.opponent_bot = other.bot

    @property
    def game(self) -> Game:
        return self.players[0].game

    def player_of(self, bot: RemoteBot) -> BotPlayer:
        return next(player for player in self.players if player.bot is bot)

    @property
    def is_rated(self) -> bool:
        """Whether the game counts for the ratings, alone or with its tournament."""
        return not self._may_abort

    async def play(
        self,
        conduct: Callable[[MoveListener], Awaitable[GameRecord]],
        on_move: MoveListener,
        on_end: Callable[[GameRecord], Awaitable[GameRecord]],
    ) -> GameRecord:
        """Play a game by `conduct`, and send the bots its moves and its end.

        The bots get moves and the end after `on_move` and `on_end` have stored them. If the game
        fails or is cancelled, they get no end: the game may go on later.
        """

        async def moved(line: GameLine, ms: int) -> None:
            await on_move(line, ms)
            played = arena.Played(
                table=self.id, turn=len(line.moves) - 1, move=line.names[-1], time=ms
            )
            for player in self.players:
                player.moved(line, played)

        try:
            record = await on_end(await conduct(moved))
        except BaseException:
            for player in self.players:
                player.cut_off()
            raise
        self.leave(record)
        return record

    async def gathered(self) -> None:
        """Wait until each bot has been sent the game, or the game is ended from outside."""
        for player in self.players:
            await player.called()

    def say(self, player: BotPlayer, text: str) -> None:
        """Send a bot's line to its opponent; raises RefusedError if the bot says too many."""
        player.check_talk()
        for other in self.players:
            if other is not player:
                other.bot.pass_on(arena.Said(table=self.id, name=player.name, text=text))

    def settle(self) -> None:
        """End the game if one bot has been away for too long; abort it if both have been away."""
        overdue = [player for player in self.players if player.bot.is_overdue]
        others = [player for player in self.players if not player.bot.is_overdue]
        if len(overdue) == 2:
            self._end(Termination.ABORT, None, "neither player came back")
        elif overdue and all(player.bot.is_here for player in others):
            (left,) = overdue
            self._end(Termination.DISCONNECT, left, f"{left.name}: did not come back")

    def resign(
        self,
        player: BotPlayer,
        termination: Termination = Termination.RESIGNATION,
        reason: str = "",
    ) -> None:
        """End the game against a bot that resigns or reports its own fault."""
        how = f": {reason}" if reason else ""
        if termination is Termination.RESIGNATION:
            self._end(termination, player, f"{player.name} resigned{how}")
        else:
            self._end(termination, player, f"{player.name}{how or f': {termination}'}")

    def forfeit(self, bot: RemoteBot, reason: str) -> None:
        self._end(Termination.DISCONNECT, self.player_of(bot), f"{bot.name}: {reason}")

    def abort(self, player: BotPlayer) -> None:
        """Abort the game; raises RefusedError if that is forbidden or the bot has moved."""
        if not self._may_abort:
            raise RefusedError(
                ErrorCode.BAD_VALUE, "games of a tournament and rated games cannot be aborted"
            )
        if player.has_moved:
            raise RefusedError(ErrorCode.BAD_VALUE, "you have moved already: resign instead")
        self._end(Termination.ABORT, None, f"{player.name} called the game off")

    def _end(self, termination: Termination, loser: BotPlayer | None, reason: str) -> None:
        end = GameEndedError(termination, None if loser is None else loser.player - 1, reason)
        for player in self.players:
            player.end(end)

    def leave(self, record: GameRecord | None) -> None:
        """Make the bots leave; no record means that the server cannot go on with the game."""
        for player in self.players:
            player.leave(record)
