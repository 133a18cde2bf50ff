"""Write what the engine in the page needs from Python: numbers in `layout.js`, and files of data.

JavaScript drives the same kernels as Python does. All offsets and constants that it needs are
written here, and names of files carry a hash of their content.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywire.engine import registry
from plywire.engine.compiled import contract
from plywire.engine.compiled.ir import sources_hash
from plywire.engine.connect4 import levels as connect4_levels
from plywire.engine.connect4.rules import Connect4
from plywire.engine.connect4.solver import analysis, history, solver
from plywire.engine.connect4.solver import memory as solver_memory
from plywire.engine.connect4.solver import table as solver_table
from plywire.engine.engine import DEFAULT_HASH_MB
from plywire.engine.game import Game
from plywire.engine.limits import SearchLimits
from plywire.engine.moves import PASS
from plywire.engine.othello import confidence, deepening, kernels, lookups, near_table
from plywire.engine.othello import memory as othello_memory
from plywire.engine.othello import rules as othello_rules
from plywire.engine.othello.evaluation import indices, patterns
from plywire.engine.othello.evaluation.weights import SHIPPED, TABLE, Weights, table_shares
from plywire.engine.othello.ready_made import ready_made
from plywire.engine.search import alphabeta, hash_table, iterative_deepening, tables
from plywire.engine.search import context as contexts
from plywire.engine.search import table as positions_table
from plywire.engine.search import thread_memory as threads
from plywire.engine.search.backend import Backend
from plywire.engine.search.generic import salt
from plywire.engine.search.levels import HIGHEST
from plywire.engine.tictactoe import kernels as one_word_kernels
from plywire.engine.tictactoe import layout as one_word
from plywire.engine.tictactoe import rules as tictactoe_rules

from . import page_openings, wasm
from . import page_weights as page_weights_module
from .wasm import WasmModule

LAYOUT = wasm.FOLDER / "layout.js"
SUFFIX = ".bin"
_ALIGNMENT = 64
#: For games with a single board size: the board as rows of bit numbers, the top row first.
_GRIDS = {"othello": othello_rules.GRID, "tictactoe": tictactoe_rules.GRID}

_TYPES = """\
/**
 * The numbers that JavaScript shares with Python. `tools/page_engine.py` writes this module.
 *
 * Offsets are in bytes. The Python modules that define the numbers explain them.
 *
 * @typedef {{limits: {nodes?: number, depth?: number}, scoresAll: boolean, temperature: number,
 *   sight: number | null}} Level
 * @typedef {{size: string, wasm: string, data: {file: string, checksum: number} | null,
 *   salt: bigint, board: bigint[], grid: number[][], moves: string[], squares: string[],
 *   canSolve: boolean, isSelective: boolean,
 *   oneWord: {second: number, firstMoves: bigint, isOn: bigint} | null,
 *   levels: Level[]}} GameLayout Names of moves and squares are by number.
 */
"""


@dataclass(frozen=True, slots=True)
class Data:
    """A packed file, and where its blocks are."""

    name: str
    made_of: bytes
    """The bytes that determine the content; the name of the file has their hash."""
    content: Callable[[], bytes]
    blocks: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        """The path of the file."""
        digest = hashlib.blake2b(self.made_of, digest_size=8).hexdigest()
        return wasm.FOLDER / f"{self.name}-{digest}{SUFFIX}"

    @property
    def checksum(self) -> int:
        """The CRC-32 of the unpacked content, which gzip writes before the last four bytes."""
        return int.from_bytes(self.file.read_bytes()[-8:-4], "little")


def packed(content: bytes) -> bytes:
    """Pack a file so that all browsers can unpack it."""
    return gzip.compress(content, 9, mtime=0)


def page_weights() -> Weights:
    """Return the weights that the page has; raise OSError if their file is missing."""
    data, weights = othello_data(), Weights.load(SHIPPED)
    start, size = data.blocks["values"].values()
    content = gzip.decompress(data.file.read_bytes())[start : start + size]
    rows = np.frombuffer(content, np.int8).reshape(weights.values.shape)
    return page_weights_module.restored(rows, weights)


def othello_data() -> Data:
    """Pack the tables of Othello's kernels, each from a multiple of 64 bytes on."""
    weights = Weights.load(SHIPPED)
    tables: Mapping[str, NDArray[Any]] = {
        "averages": weights.averages,
        "rays": kernels.RAYS,
        "raysBothWays": kernels.RAYS_BOTH_WAYS,
        "shares": indices.SHARES,
        "edges": ready_made("edges", np.uint8),
        "probcut": ready_made("probcut", np.int16),
        "lookups": lookups.lookups(),
    }
    content, blocks = bytearray(), {}
    for name, table in tables.items():
        content += bytes(-len(content) % _ALIGNMENT)
        blocks[name] = {"start": len(content), "bytes": table.nbytes}
        content += table.tobytes()
    content += bytes(-len(content) % _ALIGNMENT)
    blocks["values"] = {"start": len(content), "bytes": weights.values.nbytes}
    source = sources_hash([page_weights_module.__name__]).encode()
    return Data(
        "othello",
        source + SHIPPED.read_bytes() + bytes(content),
        lambda: packed(bytes(content) + page_weights_module.differences(weights).tobytes()),
        blocks,
    )


def opening_data() -> Data:
    """Pack the exact scores of Connect Four's first plies, which takes a minute."""
    source = sources_hash([page_openings.__name__]).encode()
    return Data(
        "connect4",
        source + page_openings.BOOK.read_bytes(),
        lambda: packed(bytes(score + page_openings.BIAS for score in page_openings.scores())),
    )


def _offsets(fields: Any) -> dict[str, int]:
    return {name: int(offset) for name, offset in fields._asdict().items()}


def layout_of(modules: Sequence[WasmModule], files: Sequence[Data]) -> str:
    """Return the module `layout.js`."""
    data = {it.name: it for it in files}
    exports = {
        "PASS": PASS,
        "STOP": {"isSet": 0, "deadline": 8, "clock": 16, "bytes": 24},
        "CONTEXT": _offsets(contexts.CONTEXT),
        "ROOT": _offsets(threads.ROOT),
        "THREAD": {
            "lengths": int(threads.LENGTHS),
            "lines": int(threads.LINES),
            "bytes": threads.OWN_BYTES + alphabeta.OWN_ARRAYS,
        },
        "TABLE": {
            "bucketBytes": positions_table.BUCKET_BYTES,
            "busyBytes": 8 * hash_table.BUSY_SLOTS,
            "noMove": int(positions_table.NO_MOVE),
            "ages": int(positions_table.AGE_MASK) + 1,
        },
        "MEMORY": {
            "usualMb": DEFAULT_HASH_MB,
            "estimatePart": tables.ESTIMATE_PART,
            "mostForEstimates": tables.MOST_FOR_ESTIMATES,
        },
        "SCORES": {
            "win": contract.WIN,
            "infinity": contract.INFINITY,
            "estimate": contract.MAX_ESTIMATE,
        },
        "ASPIRATION": {
            "window": iterative_deepening.WINDOW,
            "widening": iterative_deepening.WIDENING,
            "widest": iterative_deepening.WIDEST,
            "depth": iterative_deepening.WINDOW_DEPTH,
        },
        "DEEPENING": {
            "confidence": deepening.MIDDLE,
            "confidences": confidence.CONFIDENCES,
            "atOnce": deepening.AT_ONCE_EMPTY,
            "skipped": deepening.SKIPPED,
        },
        "SOLVER": {
            **_offsets(solver_memory.SOLVER),
            "bytes": contexts.CONTEXT_BYTES + 8 * len(solver_memory.SOLVER),
            "framesBytes": solver_memory.FRAMES * int(solver_memory.FRAME),
            "nearBytes": solver_table.NEAR_BUCKETS * solver_table.BUCKET_BYTES,
            "historyBytes": 8 * history.HISTORY_WORDS,
            "bucketBytes": solver_table.BUCKET_BYTES,
            "greatestScore": solver.GREATEST_SCORE,
            "firstLook": solver.FIRST_LOOK_NODES,
            "growth": analysis.GROWTH,
        },
        "ANALYSIS": {
            "firstLook": analysis.FIRST_LOOK,
            "glance": analysis.GLANCE,
            "growth": analysis.GROWTH,
            "leastEstimate": analysis.LEAST_ESTIMATE,
            "lineNodes": analysis.LINE_NODES,
            "quickLineNodes": analysis.QUICK_LINE_NODES,
        },
        "OPENINGS": {"plies": page_openings.PLIES, "bias": page_openings.BIAS},
        "OTHELLO": {
            **_offsets(othello_memory.OTHELLO),
            "lookupsStart": lookups.LOOKUPS_START,
            "framesBytes": othello_memory.FRAMES * int(othello_memory.FRAME),
            "nearBytes": near_table.NEAR_BUCKETS * near_table.BUCKET_BYTES,
        },
        "OTHELLO_DATA": _othello_numbers(data["othello"]),
        "LEVELS": {"notion": connect4_levels.NOTION, "far": connect4_levels.FAR},
    }
    lines = [_TYPES]
    lines += [f"export const {name} = {_written(value)};\n" for name, value in exports.items()]
    lines += ["/** @type {Map<string, GameLayout>} */", "export const GAMES = new Map(["]
    for module in modules:
        game = registry.load(module.game)
        described = _game(game, registry.backend_of(game), module, data.get(module.game))
        lines.append(f'  ["{game.name}", {_written(described)}],')
    return "\n".join([*lines, "]);", ""])


def _othello_numbers(data: Data) -> dict[str, object]:
    weights = Weights.load(SHIPPED)
    shares = table_shares(weights.knots)
    starts, _ = patterns.layout(patterns.PATTERNS)
    return {
        "values": {**data.blocks["values"], "rows": len(weights.knots)},
        "averages": data.blocks["averages"],
        "shares": [[float(share) for share in row] for row in shares],
        "table": {"bytes": TABLE.itemsize, "weights": TABLE["averages"].itemsize},
        "tableCount": len(shares),
        "patterns": [
            {"start": start, "size": it.size, "mirror": it.mirror}
            for start, it in zip(starts, patterns.PATTERNS, strict=True)
        ],
        "blocks": {
            key: block for key, block in data.blocks.items() if key not in ("values", "averages")
        },
    }


def _game(game: Game, backend: Backend, module: WasmModule, data: Data | None) -> dict[str, object]:
    numbers = [*range(PASS), PASS]
    is_selective = game.name == "othello"
    grid = _GRIDS.get(game.name) or Connect4().grid
    known = {square for row in grid for square in row} | ({PASS} if is_selective else set())
    return {
        "size": game.size,
        "wasm": module.file.name,
        "data": None if data is None else {"file": data.file.name, "checksum": data.checksum},
        "salt": _Big(salt(game)),
        "board": [] if is_selective else [_Big(int(word)) for word in backend.board()],
        "grid": grid,
        "moves": [game.move_name(it) if it in known else "" for it in numbers],
        "squares": [game.square_name(it) if it in known else "" for it in numbers],
        "canSolve": backend.can_solve,
        "isSelective": is_selective,
        "oneWord": {
            "second": int(one_word_kernels.O_SHIFT),
            "firstMoves": _Big(one_word.X_TO_MOVE),
            "isOn": _Big(one_word.GAME_ON),
        }
        if game.name == "tictactoe"
        else None,
        "levels": [_level(backend, level) for level in range(1, HIGHEST + 1)],
    }


def _level(backend: Backend, level: int) -> dict[str, object]:
    levels = backend.levels
    limits, lines = levels.search(level, backend.game.start(), SearchLimits())
    given = {name: getattr(limits, name) for name in ("nodes", "depth")}
    scores_all = lines > 1
    return {
        "limits": {name: value for name, value in given.items() if value is not None},
        "scoresAll": scores_all,
        "temperature": levels.temperature(level) if scores_all and level < HIGHEST else 0,
        "sight": connect4_levels.sight(level) if backend.can_solve else None,
    }


class _Big(int):
    """A number that JavaScript writes as a BigInt."""


def _written(value: object) -> str:
    if isinstance(value, _Big):
        return f"{int(value)}n"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key}: {_written(it)}' for key, it in value.items())} }}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(_written, value))}]"
    return json.dumps(value)


def write() -> None:
    """Make missing files, and remove those of other versions.

    Raises RuntimeError if a module must be made and the linker is missing.
    """
    modules, data = wasm.modules(), [othello_data(), opening_data()]
    wanted = {**{it.file: it.emit for it in modules}, **{it.file: it.content for it in data}}
    for file, make in wanted.items():
        if not file.exists():
            file.write_bytes(make())
            print(f"{file.name}  {file.stat().st_size / 1000:.0f} KB")
    for file in _present() - {*wanted}:
        file.unlink()
    LAYOUT.write_text(layout_of(modules, data), encoding="utf-8")


def wrong() -> Sequence[str]:
    """Name the files that are missing, of another version, or not what would be written."""
    modules, data = wasm.modules(), [othello_data(), opening_data()]
    wanted = {*(it.file for it in modules), *(it.file for it in data)}
    found = sorted(file.name for file in wanted ^ _present())
    if found:  # the layout tells of these files
        return found
    is_right = LAYOUT.exists() and LAYOUT.read_text(encoding="utf-8") == layout_of(modules, data)
    return [] if is_right else [LAYOUT.name]


def _present() -> set[Path]:
    return {file for suffix in (SUFFIX, wasm.SUFFIX) for file in wasm.FOLDER.glob(f"*{suffix}")}
