"""What `help(plywire.clients)` shows is true."""

import re
from importlib.metadata import version

import plywire.clients
from plywire.protocol.messages import limits


def test_the_help_names_what_there_is() -> None:
    table = re.findall(r"^    (\w[\w, ]*?)  +\S", plywire.clients.__doc__ or "", re.MULTILINE)
    named = {name for names in table for name in names.split(", ")}
    assert named >= {"Board", "SimpleEngine", "Engine", "Limits", "connect", "serve_ugi"}
    assert named <= set(plywire.clients.__all__)
    assert all(hasattr(plywire.clients, name) for name in plywire.clients.__all__)


def test_version_and_limits() -> None:
    assert plywire.clients.__version__ == version("plywire")
    assert plywire.clients.Limits is limits.Limits
