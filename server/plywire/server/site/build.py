"""Building a static site: in a folder of its own first, so that a failure leaves no half site."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from plywire.server.arena.reports.rendering import render

from .page_files import HOME, REPORTS, page_files, service_worker

_WORKER = "service-worker.js"


@dataclass(frozen=True, slots=True)
class SiteReport:
    """A report in the folder `reports` of a site."""

    file: str
    """Name of its first page."""
    title: str
    summary: str

    @property
    def address(self) -> str:
        """The address, as seen from the list of reports."""
        return quote(self.file)

    @property
    def path(self) -> str:
        """The path of its first page in the site."""
        return REPORTS.with_name(self.file).as_posix()


@contextmanager
def building(folder: Path) -> Iterator[Path]:
    """Make an empty folder for the files of a site, and at the end move them to `folder`.

    A failure leaves no new folder. Files that `folder` has are replaced if the site has them, too.
    Raises OSError.
    """
    near = next(path for path in (folder, *folder.absolute().parents) if path.is_dir())
    with TemporaryDirectory(prefix=".building-", dir=near) as temporary:
        made = Path(temporary)
        yield made
        # Browsers ask for these two first: they come when all others are there.
        last = ("index.html", _WORKER)
        for path in sorted(_paths(made), key=lambda path: (path in last, path)):
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            (made / path).replace(target)


def complete(folder: Path, reports: Sequence[SiteReport]) -> None:
    """Write the page, a list of the reports in the folder, and the script that keeps all of it.

    The browser keeps the page and the first page of each report from the first visit on. It keeps
    further pages of reports when they are read.
    """
    pages = page_files(has_reports=bool(reports))
    if reports:
        pages[REPORTS.as_posix()] = render("reports", reports=reports, home=HOME).encode()
    for path, body in pages.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)
    hashes = {path: sha256((folder / path).read_bytes()) for path in _paths(folder)}
    whole = "".join(f"{path} {found.hexdigest()}\n" for path, found in sorted(hashes.items()))
    first = {*pages, *(report.path for report in reports)}
    kept = {
        quote(path): f"sha256-{b64encode(hashes[path].digest()).decode()}" for path in sorted(first)
    }
    site = {
        "version": sha256(whole.encode()).hexdigest()[:16],
        "files": kept,
        "later": [quote(path) for path in sorted(hashes.keys() - first)],
    }
    (folder / _WORKER).write_bytes(service_worker(site))


def _paths(folder: Path) -> list[str]:
    """Return the paths of all files in a folder, as seen from there."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path.relative_to(folder).as_posix() for path in files]
