"""How the documentation becomes a site: `make docs` builds it, with Sphinx and without the network.

The source folder is the root of the repository, so that every page is the file that the repository
shows, and its links lead to the same places in both.

The edit links lead to the forge that the clone came from. `PLYWIRE_SITE` is the address of the
site: with it, the cards of pages that are shared in chats have a picture.
"""

import os
import re
import subprocess
from html import escape
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from docutils.nodes import document, paragraph
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

from docs import commands
from plywire.protocol.field_docs import field_docs
from plywire.server.settings import Settings

project = "Plywire"
author = "The Plywire authors"
project_copyright = "The Plywire authors"
release = version_of("plywire")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton"]
include_patterns = ["*.md", "docs/**.md", "examples/README.md", "protocol/*.md"]
exclude_patterns = [".*", "build", "tests"]
root_doc = "docs/index"

html_theme = "furo"
html_title = f"Plywire {release}"
html_copy_source = False
html_extra_path = ["site"]
html_static_path = ["static"]
html_css_files = ["site.css"]
html_baseurl = os.environ.get("PLYWIRE_SITE", "").rstrip("/")

# A button copies the commands of a transcript, and neither prompts nor what was printed.
copybutton_prompt_text = "$ "
# A block that names no language is a drawing of a board.
highlight_language = "text"

myst_heading_anchors = 4
# A transcript of GTP or of ABNF is in no language that is known to the highlighter.
suppress_warnings = ["misc.highlighting_failure"]

# Docstrings write code between single backticks, as Markdown does.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": False, "show-inheritance": True}


def _forge() -> dict[str, str]:
    """Where pages can be edited: the repository that this clone came from, if a forge has it."""
    command = ["git", "config", "--get", "remote.origin.url"]
    origin = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    found = re.fullmatch(r"(?:https://|git@)(git(?:hub|lab)\.com)[:/](.+?)(?:\.git)?/?", origin)
    if found is None:
        return {}
    return {"source_repository": f"https://{found[1]}/{found[2]}/", "source_branch": "main"}


html_theme_options = _forge()


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
#: Words under which the search and the index find a page first.
_INDEX = re.compile(r"<!-- index: (.+) -->")


def _fill(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace places such as `<!-- command match -->` by the text made from the code."""
    source[0] = _PLACE.sub(lambda found: _PLACES[found[1]](*filter(None, [found[2]])), source[0])
    source[0] = _INDEX.sub(_entries, source[0])


def _entries(found: re.Match[str]) -> str:
    """Index entries for words that stand in a comment, which the repository does not show."""
    return f"```{{index}} {', '.join(f'! {word}' for word in found[1].split(', '))}\n```"


def _unlink_folders(app: Sphinx, tree: document) -> None:
    """Leave of links to folders the text: a site shows files alone."""
    folder = Path(app.env.doc2path(app.env.docname)).parent
    for link in list(tree.findall(pending_xref)):
        if link["reftype"] == "myst" and (folder / link["reftarget"]).is_dir():
            link.replace_self(link.children)


def _describe(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: document | None
) -> None:
    """Tell search engines and chats what a page is: by its title and its first paragraph."""
    text = tree and next(tree.findall(paragraph), None)
    if not text:
        return
    words = " ".join(text.astext().split())
    tags = {"og:title": context["title"], "og:type": "website", "og:site_name": project}
    tags |= {"og:description": words}
    if html_baseurl:
        tags |= {"og:url": f"{html_baseurl}/{page}.html"}
        tags |= {"og:image": f"{html_baseurl}/_images/page-play.png"}
        tags |= {"og:image:alt": "A game of Connect Four against the engine"}
    context["metatags"] += f'<meta name="description" content="{escape(words)}">'
    for name, content in tags.items():
        context["metatags"] += f'<meta property="{name}" content="{escape(content)}">'


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", _fill)
    app.connect("doctree-read", _unlink_folders)
    app.connect("html-page-context", _describe)
