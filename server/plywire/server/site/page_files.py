"""The page's own files in a static site: no server, and addresses that hold in any folder."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from plywire.clients.play.board_image import board_png
from plywire.engine.registry import load as load_game
from plywire.engine.registry import names
from plywire.server.transports.http import POLICY, WEB, load

#: The list of reports as seen from the page, and the page as seen from the list.
REPORTS = PurePosixPath("reports/index.html")
HOME = "../"
#: Addresses and titles of both, as seen from a report.
AROUND = ((REPORTS.name, "Reports"), (HOME, "Play and analyse"))

#: Longer sides of the icons, in pixels: what browsers ask of a page that can be installed.
_ICONS = (192, 512)
#: The position on the icons: a small board of Connect Four, and the moves that lead there.
_SHOWN = "4x4", ("2", "3", "2", "2", "3", "1")

_COLOURS = {"theme_color": "#3a6a82", "background_color": "#f4f2ee"}

#: Lines of elements that only a page with a server has.
_SERVED = re.compile(r'^.* data-needs="server".*\n', re.M)
#: Texts of a page with a server, and what they are without one.
_TEXTS = {
    ' data-server="here"': "",
    "Play, analyse and watch": "Play and analyse",
    ">Connecting…<": "><",
}
_CHARSET = '<meta charset="utf-8">\n'
_ABSOLUTE = re.compile(r' (href|src)="/')
_BEFORE_KEYS = re.compile(r'^.*<button class="plain" id="keys"', re.M)


def page_files(*, has_reports: bool) -> dict[str, bytes]:
    """Return the files by their paths; the page leads to REPORTS if there are reports."""
    files = {path[1:]: file.body for path, file in load().items() if not path.endswith(".map")}
    page = _without_server(files.pop("").decode())
    files = {path: _without_map(path, body) for path, body in files.items()}
    manifest = {
        "name": "Plywire",
        "short_name": "Plywire",
        "description": _found(r'name="description" content="(.*)"', page),
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        **_COLOURS,
        "icons": [
            {"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"},
            *(
                {
                    "src": f"icon-{side}.png",
                    "sizes": f"{side}x{side}",
                    "type": "image/png",
                    "purpose": purpose,
                }
                for side in _ICONS
                for purpose in ("any", "maskable")
            ),
        ],
    }
    return {
        **files,
        **{f"icon-{side}.png": _icon(side) for side in _ICONS},
        "index.html": _with_offline(page, has_reports).encode(),
        "manifest.webmanifest": json.dumps(manifest, indent=1).encode() + b"\n",
        "register.js": (WEB / "offline" / "register.js").read_bytes(),
    }


def service_worker(site: Mapping[str, object]) -> bytes:
    """Return the script that keeps a site in the browser, which itself says what `site` has."""
    script = (WEB / "offline" / "service-worker.js").read_text("utf-8")
    return f"self.SITE = {json.dumps(site, indent=1)};\n{script}".encode()


def games() -> frozenset[str]:
    """Return the games whose rules the page knows without a server."""
    return frozenset(name for name in names() if (WEB / "game" / "rules" / f"{name}.js").exists())


def _without_server(page: str) -> str:
    """Return the page without what needs a server, with relative addresses."""
    page = _SERVED.sub("", page)
    for text, other in _TEXTS.items():
        page = page.replace(text, other)
    return _ABSOLUTE.sub(r' \1="', page)


def _with_offline(page: str, has_reports: bool) -> str:
    """Return the page with its policy, with what browsers need to keep it, and with REPORTS."""
    # Only a header field can say who may frame the page.
    policy = POLICY.replace("frame-ancestors 'none'; ", "")
    policy = policy.replace(" trusted-types ", " trusted-types plywire-offline ")
    # The policy holds for what follows it. The page's own script goes first.
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}; manifest-src \'self\'">'
    page = page.replace(_CHARSET, f"{_CHARSET}{meta}\n")
    head = f"""\
<meta name="theme-color" content="{_COLOURS["theme_color"]}">
<link rel="manifest" href="manifest.webmanifest">
<link rel="apple-touch-icon" href="icon-192.png">
<script type="module" src="register.js"></script>
</head>
"""
    page = page.replace("</head>\n", head)
    if not has_reports:
        return page
    return _BEFORE_KEYS.sub(lambda keys: f'  <a href="{REPORTS}">Reports</a>\n{keys[0]}', page)


def _without_map(path: str, body: bytes) -> bytes:
    """Return a file; a script no longer names its source map, which the site does not have."""
    return body.rpartition(b"//# sourceMappingURL=")[0] if path.endswith(".js") else body


def _icon(side: int) -> bytes:
    size, moves = _SHOWN
    return board_png(load_game("connect4", size).start().play_names(moves)[-1], side)


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found is not None
    return found[1]
