"""TLS for those who listen; who connects is in `plywire.clients.connecting.transports.open`."""

import ssl
from pathlib import Path


def server_context(certificate: Path, key: Path | None) -> ssl.SSLContext:
    """What a server shows of itself: a chain of certificates in PEM, and its key.

    Without a key, it is in the same file. Raises OSError, which names the files, if these cannot be
    used.
    """
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        # Nobody is there to type a password, which the library would ask for at the terminal.
        context.load_cert_chain(certificate, key, password="")
    except OSError as error:
        files = str(certificate) if key is None else f"{certificate} and {key}"
        what = error.reason if isinstance(error, ssl.SSLError) else error.strerror
        raise OSError(
            f"no certificate and key can be read from {files}: {what or error};"
            " expected a chain of certificates and an unencrypted key, in PEM"
        ) from None
    return context
