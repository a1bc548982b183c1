"""Where links lead that people share: a page with a picture and a sentence, which goes on to the screen of the link.

`/zh/room#/room?code=…`: the path says only what kind of link it is and the language of who shares it, for those who
draw it where it is pasted. Codes stay behind the `#`, so nothing is looked up here, and the same page is sent for every
link of a kind: it can tell nothing of a room or a deal, not even whether there is one.
"""

from typing import Final

from flask import Blueprint, Response, current_app, render_template

from service.api.oauth import issuer_of
from service.api.services import Services
from service.texts.shared import GAME, OPEN, SHARED

#: Part of the path -> language, and its name for Open Graph.
_LANGUAGES: Final = {"en": ("en", "en_GB"), "zh": ("zh-Hans", "zh_CN")}
_CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

shared_links: Final = Blueprint("shared", __name__)


@shared_links.get(f"/<any({', '.join(_LANGUAGES)}):spoken>/<any({', '.join(SHARED)}):kind>")
def shared_link(spoken: str, kind: str) -> Response:
    """Send the page of a kind of link."""
    services: Services = current_app.extensions["services"]
    language, locale = _LANGUAGES[spoken]
    shared = SHARED[kind]
    text = render_template(
        "shared.html",
        language=language,
        locale=locale,
        kind=kind,
        title=shared.title[language],
        sentence=shared.sentence[language],
        game=GAME[language],
        open=OPEN[language],
        # Pictures need whole addresses.
        base=issuer_of(services),
    )
    response = Response(text, content_type="text/html; charset=utf-8")
    response.headers["Content-Language"] = language
    response.headers["Content-Security-Policy"] = _CONTENT_SECURITY_POLICY
    response.headers["Referrer-Policy"] = "no-referrer"
    # Without a public address, the page has that of the request, which must not reach others by a cache.
    kept = "public, max-age=3600" if services.settings.public_url else "private, max-age=3600"
    response.headers["Cache-Control"] = kept
    return response
