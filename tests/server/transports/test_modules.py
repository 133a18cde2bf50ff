"""The page's modules become one script that does what they do."""

from __future__ import annotations

import json
import re
import subprocess

import pytest

from plywire.server.transports.modules import combine
from tests.support.programs import NODE

PAGE = {
    "/main.js": (
        'import * as all from "./game/rules.js";\n'
        'import { LIMIT as most, play } from "./game/play.js";\n'
        'import Board from "./view/board.js";\n'
        "/** Says\n * it. */\n"
        'const other = "its own";\n'
        "console.log(all.other(), most, play(), new Board().name, other);\n"
    ),
    "/game/rules.js": "export function other() {\n  // Lines\n  return `the\n  rules'`;\n}\n",
    "/game/play.js": (
        'import { other } from "./rules.js";\n'
        "export const LIMIT = /** @type {number} */ (7);\n"
        "export function play() {\n  return /** @type {any} */ (other)();\n}\n"
    ),
    "/view/board.js": (
        'import { play } from "../game/play.js";\n'
        "export default class Board {\n  /** @type {string} */\n  name = play() + LIMIT;\n}\n"
        "const LIMIT = 1;\n"
    ),
    "/unused.js": "throw new Error();\n",
}


def test_names_stay_apart_and_the_map_leads_back() -> None:
    script, source_map = combine(PAGE, "/main.js")
    ran = subprocess.run(
        [NODE, "--input-type=module", "-"], input=script, capture_output=True, text=True
    )
    assert ran.stdout == "the\n  rules' 7 the\n  rules' the\n  rules'1 its own\n", ran.stderr
    assert "Says" not in script
    assert "Lines" not in script
    lines = script.split("\n")
    assert lines[-2] == "//# sourceMappingURL=main.js.map"
    sections = json.loads(source_map)["sections"]
    assert [section["map"]["sources"] for section in sections] == [
        ["/game/rules.js"],
        ["/game/play.js"],
        ["/view/board.js"],
        ["/main.js"],
    ]
    for section in sections:
        source = section["map"]["sourcesContent"][0].splitlines()
        assert len(section["map"]["mappings"].split(";")) == len(source)
        start = section["offset"]["line"]
        for line, original in zip(lines[start : start + len(source)], source, strict=True):
            assert line in ("", original, original.strip()) or re.search(r"import|export", original)


@pytest.mark.parametrize(
    ("source", "trouble"),
    [
        ('import "./game/play.js";', "not known here"),
        ("export { a };", "not known here"),
        ('import { a } from "./none.js";', "there is no module /none.js"),
        ('import { a } from "./main.js";', "/main.js imports itself"),
    ],
)
def test_what_cannot_be_combined_is_told(source: str, trouble: str) -> None:
    with pytest.raises(ValueError, match=trouble):
        combine({**PAGE, "/main.js": source}, "/main.js")
