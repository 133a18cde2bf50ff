"""The lock file holds what `pyproject.toml` asks for: with hashes, and without any address."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
_BLOCKS = re.findall(r"^(?!#)(\S.*?)(?=^\S|\Z)", LOCK, re.MULTILINE | re.DOTALL)
#: What is locked by name: some packages have versions that depend on the Python.
LOCKED: dict[str, list[tuple[Requirement, str]]] = {}
for _block in _BLOCKS:
    _locked = Requirement(_block.partition(" \\\n")[0])
    LOCKED.setdefault(canonicalize_name(_locked.name), []).append((_locked, _block))

_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
_EXTRAS = _PROJECT["project"]["optional-dependencies"].values()
WANTED = [
    *_PROJECT["project"]["dependencies"],
    *(want for extra in _EXTRAS for want in extra if Requirement(want).name != "plywire"),
    *_PROJECT["dependency-groups"]["build"],
]


@pytest.mark.parametrize("want", sorted(set(WANTED)))
def test_it_has_what_is_asked_for(want: str) -> None:
    """`make lock` mends it."""
    requirement = Requirement(want)
    locked = LOCKED[canonicalize_name(requirement.name)]
    for exact, _ in locked:
        (specifier,) = exact.specifier
        assert specifier.operator == "=="
        assert requirement.specifier.contains(specifier.version)
    # It is there on every Python for which it is asked for.
    for python in ("3.11", "3.12", "3.13", "3.14"):
        on = {"python_version": python, "python_full_version": f"{python}.0"}
        is_wanted = requirement.marker is None or requirement.marker.evaluate(on)
        here = [exact for exact, _ in locked if exact.marker is None or exact.marker.evaluate(on)]
        assert len(here) == is_wanted


def test_what_builds_is_what_the_build_system_asks_for() -> None:
    asked = set(_PROJECT["build-system"]["requires"])
    assert asked <= set(_PROJECT["dependency-groups"]["build"])


def test_all_have_hashes() -> None:
    for _, block in (entry for entries in LOCKED.values() for entry in entries):
        assert "--hash=sha256:" in block


def test_no_index_is_named() -> None:
    options = [line for line in LOCK.splitlines() if line.startswith("-")]
    assert options == []
    assert "://" not in LOCK
