"""A UGI program that kills its parent with SIGKILL, but only the first time: `MARKER ENGINE`."""

import os
import runpy
import signal
import sys
from pathlib import Path

marker, engine = map(Path, sys.argv[1:])
try:
    marker.touch(exist_ok=False)
except FileExistsError:
    runpy.run_path(str(engine), run_name="__main__")
else:
    os.kill(os.getppid(), signal.SIGKILL)
