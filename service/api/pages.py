"""HTML pages (API docs, list of problems), and `openapi.yaml`. They load nothing from other hosts.

They are for browsers and not in `openapi.yaml`, so this is a plain Flask blueprint.
"""

import mimetypes
import re
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, abort, current_app, render_template, request
from markupsafe import Markup, escape
from werkzeug.security import safe_join

from service.api.http.documents import Document
from service.api.http.problems import STATUS
from service.api.services import Services
from service.rules.options.catalogue import catalogue, summary
from service.rules.options.rulesets import RULESETS
from service.texts import LANGUAGES, Text, Words, language_of
from service.texts.pages import PAGES
from service.texts.problems import PROBLEMS

_WEB: Final = Path(__file__).parents[1] / "web"
#: The committed document. Here are links to files of the repository, in whose places a wheel has the files.
OPENAPI: Final = _WEB / "shipped" / "openapi.yaml"
#: The guides for developers of clients that `/docs` leads to, in the folder `docs`.
GUIDES: Final = ("clients.md", "bots.md", "app.md", "testing.md", "records.md", "record-format.md", "contract.md")
_DOCS: Final = OPENAPI.parent / "docs"

#: Content security policy: scripts and styles from this service only, except inline styles of the docs page.
_CONTENT_SECURITY_POLICY: Final = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_ASSET_MAX_AGE_S: Final = 3600
#: How long a published contact may be used.
_CONTACT_DAYS: Final = 180

pages: Final = Blueprint("pages", __name__, template_folder=str(_WEB / "pages"))


def _page(template: str, **values: object) -> Response:
    """Return a page in the language of `?lang=` or the browser; links keep `?lang=`, and the path of a gateway."""
    chosen = request.args.get("lang")
    language = language_of(chosen or request.headers.get("Accept-Language"))
    query = f"?lang={language}" if chosen else ""
    root = "../" * (str(request.url_rule).count("/") - 1) or "./"
    text = render_template(template, language=language, t=PAGES[language], kept=query, root=root, **values)
    headers = {
        "Content-Language": language,
        "Content-Security-Policy": _CONTENT_SECURITY_POLICY,
        "Vary": "Accept-Language",
    }
    return Response(text, headers=headers, content_type="text/html; charset=utf-8")


@pages.app_template_filter("marked")
def _marked(text: str) -> Markup:
    """Return a text as HTML, with code for text in backticks."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704 (escaped above)


@pages.app_template_filter("read")
def _read(text: Text, language: str) -> str:
    """Return a text in a language; nothing, if there is no text."""
    return Words(text)[language] if text else ""


@pages.get("/docs")
def docs() -> Response:
    """Show the API docs. The page has a frame in every language; the document itself is in English, as its fields."""
    titles = {guide: _guide(guide)[0] for guide in GUIDES if (_DOCS / guide).is_file()}
    return _page("docs.html", guides=titles)


@pages.get("/docs/guides/<path:guide>")
def guide(guide: str) -> Response:
    """Send a guide, as text: what it is written in reads well as it is."""
    if guide not in GUIDES or not (_DOCS / guide).is_file():
        abort(404)
    return _guide(guide)[1].response(request)


@cache
def _guide(name: str) -> tuple[str, Document]:
    """Return the title of a guide, and its text."""
    text = (_DOCS / name).read_bytes()
    return text.split(b"\n", 1)[0].decode().removeprefix("# "), Document(text, "text/plain; charset=utf-8")


@pages.get("/docs/problems")
def problems() -> Response:
    """Show all problems. The `type` of a problem links here."""
    return _page("problems.html", problems=PROBLEMS, status=STATUS)


@pages.get("/docs/rulesets")
@pages.get("/docs/rulesets/<ruleset>")
def rulesets(ruleset: str | None = None) -> Response:
    """Show the rulesets, or the house rules of one."""
    if ruleset is not None and ruleset not in RULESETS:
        abort(404)
    return _page("rulesets.html", rulesets=summary(), chosen=None if ruleset is None else catalogue(ruleset))


@cache
def _openapi() -> Document:
    return Document(OPENAPI.read_bytes(), "application/yaml; charset=utf-8")


@pages.get("/openapi.yaml")
def openapi() -> Response:
    """Send the OpenAPI document."""
    return _openapi().response(request)


@pages.get("/.well-known/security.txt")
def security() -> Response:
    """Send the contact for reporting vulnerabilities (RFC 9116), if the operator has set one."""
    services: Services = current_app.extensions["services"]
    contact = services.settings.security_contact
    if not contact:
        abort(404)
    expires = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=_CONTACT_DAYS)
    lines = (
        f"Contact: {contact}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(LANGUAGES)}",
    )
    return Response("".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8")


@pages.get("/schemas/record-1.json")
def record_schema() -> Response:
    """Send the JSON Schema of records for import."""
    path = _WEB / "schemas" / "record-1.json"
    return _asset(path, path.stat().st_mtime_ns).response(request)


@pages.get("/assets/<path:name>")
def asset(name: str) -> Response:
    """Send a script, style or image."""
    path = safe_join(str(_WEB / "assets"), name)
    if path is None or not Path(path).is_file():
        abort(404)
    return _asset(Path(path), Path(path).stat().st_mtime_ns).response(request)


@lru_cache(maxsize=256)
def _asset(path: Path, _changed_at: int) -> Document:
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    charset = "; charset=utf-8" if media_type.startswith("text/") else ""
    return Document(path.read_bytes(), media_type + charset, f"public, max-age={_ASSET_MAX_AGE_S}")
