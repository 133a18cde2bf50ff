"""What the tests drive is brought where the machine lets it, and told of where not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.programs import Program, closing

from . import set_up

DOWNLOAD = "playwright install --no-shell chromium"
LIBRARIES = "playwright install-deps chromium"


class Machine:
    """A machine without programs, on which some commands bring one."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, *, is_root: bool, brings: dict[str, str]
    ) -> None:
        self.chromium = Program("chromium", self._find("chromium"))
        self.mosquitto = Program("mosquitto", self._find("mosquitto"))
        self.here: set[str] = set()
        self.ran: list[str] = []
        self.has_driver = True
        self._brings = brings
        set_up.update.cache_clear()
        monkeypatch.setattr(set_up, "CHROMIUM", self.chromium)
        monkeypatch.setattr(set_up, "may_install", lambda: is_root)
        monkeypatch.setattr(set_up, "succeeds", self._run)

    def set_up(self) -> None:
        set_up.bring((self.chromium, self.mosquitto))

    def _find(self, name: str) -> Callable[[], str | None]:
        return lambda: name if name in self.here else None

    def _run(self, *command: str) -> bool:
        line = " ".join(command).rpartition(" -m ")[2]
        if line == "playwright --version":
            return self.has_driver
        self.ran.append(line)
        if line in self._brings:
            self.here.add(self._brings[line])
        # A download is there even if libraries are missing that it needs.
        return line in self._brings or (line == DOWNLOAD and LIBRARIES in self._brings)


def test_what_is_here_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, is_root=True, brings={})
    machine.here |= {"chromium", "mosquitto"}
    machine.set_up()
    assert machine.ran == []


def test_playwright_brings_a_browser_without_root(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, is_root=False, brings={DOWNLOAD: "chromium"})
    machine.set_up()
    assert machine.ran == [DOWNLOAD]
    assert machine.here == {"chromium"}


def test_root_downloads_what_cannot_be_installed_with_its_libraries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machine = Machine(monkeypatch, is_root=True, brings={LIBRARIES: "chromium"})
    machine.here.add("mosquitto")
    machine.set_up()
    assert machine.ran[-2:] == [DOWNLOAD, LIBRARIES]
    assert machine.here == {"chromium", "mosquitto"}


def test_root_installs(monkeypatch: pytest.MonkeyPatch) -> None:
    install = "apt-get install --yes --quiet --no-install-recommends {}".format
    brings = {install(name): name for name in ("chromium", "mosquitto")}
    machine = Machine(monkeypatch, is_root=True, brings=brings)
    machine.set_up()
    assert machine.here == {"chromium", "mosquitto"}
    assert "apt-get update --quiet" in machine.ran
    assert DOWNLOAD not in machine.ran


def test_root_installs_what_the_driver_of_playwright_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, is_root=True, brings={})
    machine.has_driver = False
    machine.here |= {"chromium", "mosquitto"}
    machine.set_up()
    assert machine.ran[-1].endswith(" libatomic1")


def test_who_is_not_root_goes_without(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, is_root=False, brings={})
    machine.set_up()
    assert machine.ran == [DOWNLOAD]


def test_a_test_without_its_program_is_skipped_and_fails_in_ci(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    absent = Program("absent", lambda: None)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="for want of absent"):
        absent.path()
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="apt-get install absent"):
        absent.path()


def test_the_closing_paragraph_counts_and_advises() -> None:
    wants = ["Skipped: for want of chromium", "Skipped: for want of mosquitto"]
    said = closing([*wants, wants[0], "Skipped: another reason"])
    assert said is not None
    assert "Tests skipped: 3 (2 for want of chromium, 1 for want of mosquitto)." in said
    assert "`sudo apt-get install chromium mosquitto`" in said
    assert closing(["Skipped: another reason"]) is None
