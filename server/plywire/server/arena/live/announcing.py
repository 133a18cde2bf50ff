"""Tournaments that bots may join, before the start: their files, their players, their start."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from plywire.server.arena.store.announcements import Announcement
from plywire.server.arena.store.folder import open_folder
from plywire.server.arena.store.journal import Journal, JournalError, journal_of
from plywire.server.arena.tournament.config import (
    REMOTE,
    ConfigError,
    TournamentConfig,
    read_config,
)

#: Matches the names of tournaments and the names of players that the protocol can send.
_TEXT = re.compile(r"\S+( \S+)*")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def read_live_config(path: Path) -> TournamentConfig:
    """Read a tournament that bots may join from a TOML file; raises ConfigError and OSError."""
    config = read_config(path)
    if not _TEXT.fullmatch(config.name):
        raise ConfigError(f"{path}: name: words with single spaces between are accepted")
    for name in config.players:
        if not _NAME.fullmatch(name):
            raise ConfigError(
                f"{path}: players: {name}: letters, digits, `_`, `.` and `-` are accepted"
                " in a tournament for bots"
            )
    games = tuple(
        section.model_copy(update={"file": section.file and section.file.resolve()})
        for section in config.games
    )
    ratings = config.ratings and config.ratings.resolve()
    return config.model_copy(update={"games": games, "ratings": ratings})


def players_of(config: TournamentConfig, entrants: Sequence[str]) -> dict[str, str]:
    """Return the specs of all players so far, by name."""
    return {**config.players, **dict.fromkeys(entrants, REMOTE)}


def _obstacle(config: TournamentConfig, players: Mapping[str, str]) -> str:
    """Return why a tournament cannot begin with these players; empty if it can."""
    try:
        config.format.check(list(players))
    except ValueError as error:
        return str(error)
    if config.sprt is not None and len(players) != 2:
        return f"sprt compares two players, not {len(players)}"
    return ""


def may_begin(config: TournamentConfig, entrants: Sequence[str], starts: datetime | None) -> bool:
    """Return whether all seats are taken, or the time has come and the players are enough."""
    if starts is None:
        return len(entrants) >= config.seats
    return datetime.now(UTC) >= starts and not _obstacle(config, players_of(config, entrants))


def waiting(announcement: Announcement) -> str:
    """Return a sentence about what a tournament is waiting for, and its players so far."""
    config = TournamentConfig.model_validate_json(announcement.config)
    entrants, starts = announcement.entrants, announcement.starts
    free = config.seats - len(entrants)
    if may_begin(config, entrants, starts):
        waits = "the server is to make the openings"
    elif free > 0:
        waits = "one more bot may join" if free == 1 else f"{free} more bots may join"
    else:
        waits = "all seats are taken"
    at = "" if starts is None else f", it begins at {starts:%Y-%m-%d %H:%M %Z}"
    players = ", ".join(players_of(config, entrants)) or "nobody so far"
    return f"{announcement.name} has not begun yet: {waits}{at}; players: {players}."


async def announce(arena: Path, config: TournamentConfig) -> None:
    """Announce a tournament in an arena's folder; raises JournalError and OSError."""
    await asyncio.to_thread(open_folder, arena)
    async with Journal(journal_of(arena), create=True, exclusive=False) as journal:
        await journal.announcements.announce(config.name, config.model_dump_json(), config.starts)


async def begin_now(arena: Path, name: str) -> list[str]:
    """Begin a tournament in an arena's folder; return its players' names or raise JournalError."""
    async with Journal(journal_of(arena), exclusive=False) as journal:
        open_ = [one for one in await journal.announcements.listed() if one.tournament is None]
        for one in open_:
            if one.name.lower() == name.lower():
                config = TournamentConfig.model_validate_json(one.config)
                players = players_of(config, one.entrants)
                if obstacle := _obstacle(config, players):
                    joined = ", ".join(players) or "nobody"
                    raise JournalError(
                        f"{one.name} cannot begin: {obstacle}; joined so far: {joined}"
                    )
                if not await journal.announcements.begin_now(one.id):
                    raise JournalError(f"{one.name} begins already; the arena's server plays it")
                return list(players)
        names = ", ".join(one.name for one in open_) or "none"
        raise JournalError(f"no tournament {name} waits for its start: there are {names}")
