"""The language of a response."""

from flask import Request

from service.api.http.middleware import request_context
from service.texts import language_of


def language_for(raw: Request) -> str:
    """Return the language in which a request is answered: by `Accept-Language`, else the player's."""
    player = request_context(raw).player
    return language_of(raw.headers.get("Accept-Language"), player.get("locale") if player else None)
