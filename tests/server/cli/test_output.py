"""What commands do when their standard output, or a file, cannot be written."""

import subprocess
from pathlib import Path

import pytest

from tests.support.forks import forked

FULL = Path("/dev/full")

pytestmark = pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")


def run(*arguments: str, output: Path = FULL) -> tuple[int, str]:
    """Run a command; its status, and what it says of errors."""
    with output.open("w") as file:
        done = subprocess.run(
            [forked("plywire"), *arguments],
            stdout=file,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--version",),
        ("games",),
        ("schema",),
        ("match", "greedy", "random:seed=1", "--games", "4", "--verbose"),
    ],
)
def test_a_full_disk_gets_one_line(arguments: tuple[str, ...]) -> None:
    assert run(*arguments) == (1, "plywire: standard output: No space left on device\n")


@pytest.mark.parametrize("option", ["--out", "--moves", "--result"])
def test_a_file_of_a_match_that_cannot_be_written_is_named(option: str, tmp_path: Path) -> None:
    file = tmp_path / ("result.json" if option == "--result" else "games.jsonl")
    file.symlink_to(FULL)
    match = ("match", "greedy", "random:seed=1", "--games", "2", option, str(file))
    status, said = run(*match, output=tmp_path / "shown")
    assert status == 1
    assert said.endswith(f"{file}: No space left on device\n")
    assert said.count("\n") == 1
