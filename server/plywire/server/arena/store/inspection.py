"""The damage in the files of an arena."""

import sqlite3
from pathlib import Path

from .accounts import accounts_of
from .journal import journal_of
from .journal_tables import journal_faults
from .rating_list import RatingList, ratings_of
from .sqlite_file import StoreError, UnusableFileError


def inspect(folder: Path) -> dict[str, list[str]]:
    """Return the damage in each file of an arena, by file name; raises FileNotFoundError."""
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: there is no such folder")
    journal, ratings = journal_of(folder), ratings_of(folder)
    found = {}
    for file, faults in (
        (folder / "bots.sqlite", accounts_of(folder).faults),
        (journal, lambda: journal_faults(journal)),
        (ratings, RatingList(ratings).faults),
    ):
        if file.exists():
            try:
                found[file.name] = faults()
            except (StoreError, UnusableFileError, sqlite3.Error) as error:
                found[file.name] = [str(error)]
    return found
