"""The folders that the tools and the tests read."""

import os
import sys
from pathlib import Path

#: The folder of the repository, whose tools and tests are not installed.
ROOT = Path(__file__).parents[1]


def make_importable(folder: Path) -> None:
    """Let this process, and the processes that build kernels, import what a folder holds."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if str(folder) not in paths:
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [*paths, str(folder)]))
