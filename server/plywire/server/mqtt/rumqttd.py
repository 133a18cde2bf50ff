"""The child process of the embedded broker: rumqttd, which the package iotcore has compiled.

The process ends when its standard input ends, so that it never outlives the server:

    python -m plywire.server.mqtt.rumqttd '{"listen": "127.0.0.1", "port": 1883}'
"""

import json
import logging
import os
import socket
import stat
import sys
import threading
import time
from contextlib import suppress
from typing import Any

from iotcore import IotCoreBroker


def run(options: dict[str, Any]) -> None:
    """Run the broker for ever; the options are those of `IotCoreBroker`."""
    # rumqttd logs each of its messages at the level of errors, so silence it.
    logging.getLogger("rumqttd").setLevel(logging.CRITICAL)
    IotCoreBroker(**options).run_forever()


def send_at_once() -> bool:
    """Set TCP_NODELAY for the broker's connections; return whether its socket was found.

    Without this option, every answer is 40 ms late. The broker has no setting for it. Connections
    inherit the option from the listening socket, the only one of this process.
    """
    for _ in range(1000):
        for descriptor in filter(_is_socket, range(3, 64)):
            with suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as found:
                if found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    return True
        time.sleep(0.01)
    return False


def _is_socket(descriptor: int) -> bool:
    try:
        return stat.S_ISSOCK(os.fstat(descriptor).st_mode)
    except OSError:
        return False


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    threading.Thread(target=send_at_once, daemon=True).start()
    run(json.loads(sys.argv[1]))
