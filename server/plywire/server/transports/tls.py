"""TLS for servers; TLS for clients is in `plywire.clients.connecting.transports.open`."""

import ssl
from pathlib import Path


def server_context(certificate: Path, key: Path | None) -> ssl.SSLContext:
    """Make a server's TLS context from its certificate chain and its key, in PEM.

    If `key` is None, `certificate` has the key. Raises OSError if the files cannot be used.
    """
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        # Without a password here, the library would ask for one at the terminal.
        context.load_cert_chain(certificate, key, password="")
    except OSError as error:
        files = str(certificate) if key is None else f"{certificate} and {key}"
        what = error.reason if isinstance(error, ssl.SSLError) else error.strerror
        raise OSError(
            f"no certificate and key can be read from {files}: {what or error};"
            " expected a chain of certificates and an unencrypted key, in PEM"
        ) from None
    return context
