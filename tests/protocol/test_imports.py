import subprocess
import sys

#: What makes starting slow, or would be I/O.
UNWANTED = ("asyncio", "socket", "numba", "numpy", "websockets", "typer", "plywire.engine")


def test_the_protocol_imports_nothing_heavy() -> None:
    program = (
        "import sys, plywire.protocol.connection, plywire.protocol.dialects\n"
        f"print([name for name in {UNWANTED!r} if name in sys.modules])\n"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    # pydantic itself loads these for its types of networks.
    assert loaded.stdout.strip() == "[]"
