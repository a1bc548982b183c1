"""Opaque cursors of paginated lists."""

import base64
import binascii
import re

from service.api.http.problems import Fault, InvalidFields


def encode_cursor(position: str) -> str:
    """Encode a position in a list."""
    return base64.urlsafe_b64encode(position.encode()).decode().rstrip("=")


def decode_cursor(cursor: str, pattern: str) -> re.Match[str]:
    """Decode a cursor, and match it against the pattern of this list's positions.

    Raises:
        InvalidFields: the cursor is not from this list.
    """
    try:
        position = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars="-_", validate=True).decode()
    except (ValueError, binascii.Error):
        position = ""
    match = re.fullmatch(pattern, position, re.ASCII)
    if match is None:
        raise InvalidFields([Fault("?cursor", "no_such_cursor", {})])
    return match
