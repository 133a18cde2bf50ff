"""How the documentation becomes a site: `make docs` builds it, with Sphinx and without the network.

The source folder is the root of the repository, so that every page is the file that the repository
shows, and its links lead to the same places in both.
"""

import re
from pathlib import Path

from docutils.nodes import document
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

from docs import commands
from plywire.protocol.field_docs import field_docs
from plywire.server.settings import Settings

project = "Plywire"
author = "The Plywire authors"
project_copyright = "The Plywire authors"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
include_patterns = ["*.md", "docs/**.md", "examples/README.md", "protocol/*.md"]
exclude_patterns = [".*", "build", "tests"]
root_doc = "docs/index"

html_theme = "furo"
html_title = "Plywire"
html_copy_source = False
html_extra_path = ["site"]

myst_heading_anchors = 4
# A transcript of GTP or of ABNF is in no language that is known to the highlighter.
suppress_warnings = ["misc.highlighting_failure"]

# Docstrings write code between single backticks, as Markdown does.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": False, "show-inheritance": True}


def _settings() -> str:
    """Every setting of the server in a table."""
    lines = ["| key | default | meaning |", "|---|---|---|"]
    texts = field_docs(Settings)
    for name, field in Settings.model_fields.items():
        value = "none" if field.default in (None, ()) else f"`{field.default}`"
        default = "number of processors" if field.default_factory else value
        text = " ".join(texts[name].split()).replace("|", r"\|")
        lines.append(f"| `{name}` | {default} | {text} |")
    return "\n".join(lines)


_PLACES = {"commands": commands.grouped, "settings": _settings, "command": commands.written}
_PLACE = re.compile(r"<!-- (commands|settings|command) ?([\w-]*) -->")


def _fill(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace places such as `<!-- command match -->` by the text made from the code."""
    source[0] = _PLACE.sub(lambda found: _PLACES[found[1]](*filter(None, [found[2]])), source[0])


def _unlink_folders(app: Sphinx, tree: document) -> None:
    """Leave of links to folders the text: a site shows files alone."""
    folder = Path(app.env.doc2path(app.env.docname)).parent
    for link in list(tree.findall(pending_xref)):
        if link["reftype"] == "myst" and (folder / link["reftarget"]).is_dir():
            link.replace_self(link.children)


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", _fill)
    app.connect("doctree-read", _unlink_folders)
