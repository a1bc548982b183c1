"""Where the service is, and a client of it."""

import os
from typing import Final

from shengji_client import Client

#: How long a service that is away is waited for, s.
_PATIENCE_S: Final = 60.0


def default_url() -> str:
    """Return the URL of the service that `make run` starts on this machine."""
    return f"http://127.0.0.1:{os.environ.get('PORT', '8000')}"


def register(url: str, name: str) -> Client:
    """Register a bot. Once the service has answered, its client is patient.

    Raises:
        Unreachable: the service does not answer at the URL.
    """
    client = Client.register(url, name, patience=0)
    client.patience = _PATIENCE_S
    return client
