"""Opaque cursors: what a list needs to go on where a page ended, in a form that invites nobody to read it."""

import base64
import binascii
import re

from service.api.http.problems import Fault, InvalidFields


def written(place: str) -> str:
    """Return the cursor for a place."""
    return base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")


def read(cursor: str, pattern: str) -> re.Match[str]:
    """Return the place of a cursor, matched with what it must look like.

    Raises:
        InvalidFields: it is none of ours.
    """
    try:
        place = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars="-_", validate=True).decode()
    except (ValueError, binascii.Error):
        place = ""
    found = re.fullmatch(pattern, place, re.ASCII)
    if found is None:
        raise InvalidFields([Fault("?cursor", "invalid", {})])
    return found
