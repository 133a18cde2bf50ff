"""What the embedded broker needs of the package that it comes from."""

import json
import socket
import subprocess
import sys

_CHILD = """
import json, os, sys, threading
from plywire.server.mqtt import rumqttd

threading.Thread(target=rumqttd.run, args=(json.loads(sys.argv[1]),), daemon=True).start()
print(rumqttd.send_at_once(), flush=True)
os._exit(0)
"""


def test_the_socket_that_accepts_connections_is_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = json.dumps({"listen": "127.0.0.1", "port": port, "max_payload_size": 1024})
    found = subprocess.run(
        [sys.executable, "-c", _CHILD, options], stdout=subprocess.PIPE, text=True, check=True
    )
    assert found.stdout.strip() == "True"
