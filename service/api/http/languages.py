"""The language of a response."""

from flask import Request

from service.api.http.middleware import request_context
from service.texts import language_of


def language_for(raw: Request) -> str:
    """Return the language of the response to a request: by `Accept-Language`, else the player's."""
    player = request_context(raw).player
    return language_of(raw.headers.get("Accept-Language"), player.get("locale") if player else None)
