"""HTML pages: API docs, list of problems; and `openapi.yaml`. They load nothing from other hosts.

These are not operations: they stay out of `openapi.yaml` and answer browsers, so this is a plain Flask blueprint.
"""

from pathlib import Path
from typing import Final

from flask import Blueprint, Response, render_template, request, send_from_directory

from service.api.http.middleware import request_context
from service.api.http.problems import STATUS
from service.texts.problems import PROBLEMS

_WEB: Final = Path(__file__).parents[1] / "web"
#: The committed document.
OPENAPI: Final = Path(__file__).parents[2] / "openapi.yaml"

#: Scripts and styles from this service only; the docs page also sets inline styles.
_CONTENT_SECURITY_POLICY: Final = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_ASSET_MAX_AGE_S: Final = 3600

pages: Final = Blueprint("pages", __name__, template_folder=str(_WEB / "pages"))


@pages.before_request
def _note_route() -> None:
    request_context().route = request.url_rule.rule if request.url_rule else "(none)"


@pages.after_request
def _allow_scripts(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = _CONTENT_SECURITY_POLICY
    return response


@pages.get("/docs")
def docs() -> str:
    """Show the API docs."""
    return render_template("docs.html")


@pages.get("/docs/problems")
def problems() -> str:
    """Show all problems; `type` of a problem links here."""
    return render_template("problems.html", problems=PROBLEMS, status=STATUS)


@pages.get("/openapi.yaml")
def openapi() -> Response:
    """Send the OpenAPI document."""
    return Response(OPENAPI.read_bytes(), content_type="application/yaml; charset=utf-8")


@pages.get("/assets/<path:name>")
def asset(name: str) -> Response:
    """Send a script, style or image."""
    return send_from_directory(_WEB / "assets", name, max_age=_ASSET_MAX_AGE_S)
