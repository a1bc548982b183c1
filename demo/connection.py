"""The address of the service, and a client."""

import os
from typing import Final

from shengji_client import Client

#: How long to wait for an unreachable service, s.
_PATIENCE_S: Final = 60.0


def default_url() -> str:
    """Return the URL of the service started by `make run` on this machine."""
    return f"http://127.0.0.1:{os.environ.get('PORT', '8000')}"


def register(url: str, name: str) -> Client:
    """Register a bot, without retries; later requests of its client are retried.

    Raises:
        Unreachable: the service does not answer at the URL.
    """
    client = Client.register(url, name, patience=0)
    client.patience = _PATIENCE_S
    return client
