"""Pages for people: the start, the docs, the list of problems, and the document itself. No page needs another host."""

from functools import lru_cache
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, render_template, request, send_from_directory

from service.api.http.middleware import trace
from service.api.http.problems import STATUS
from service.rules.catalogue import summary
from service.settings import VERSION
from service.texts.problems import PROBLEMS

_WEB: Final = Path(__file__).parents[2] / "web"
#: Where the committed document is.
OPENAPI: Final = Path(__file__).parents[3] / "openapi.yaml"

#: Scripts and styles come from here alone; the docs page needs styles of its own making.
_POLICY: Final = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HOUR_S: Final = 3600

pages: Final = Blueprint("pages", __name__, template_folder=str(_WEB / "pages"))


@pages.before_request
def _note_route() -> None:
    trace().route = request.url_rule.rule if request.url_rule else "(none)"


@pages.after_request
def _allow_scripts(answer: Response) -> Response:
    answer.headers["Content-Security-Policy"] = _POLICY
    return answer


@pages.get("/")
def start() -> str:
    """Show where everything is."""
    return render_template(
        "start.html", base=request.host_url.rstrip("/"), rulesets=summary(), version=f"shengji-service {VERSION}"
    )


@pages.get("/docs")
def docs() -> str:
    """Show the API."""
    return render_template("docs.html")


@pages.get("/docs/problems")
def problems() -> str:
    """Show every problem that the API answers with: where `type` points to."""
    return render_template("problems.html", problems=PROBLEMS, status=STATUS)


@lru_cache(maxsize=1)
def _document() -> bytes:
    return OPENAPI.read_bytes()


@pages.get("/openapi.yaml")
def openapi() -> Response:
    """Send the document."""
    return Response(_document(), content_type="application/yaml; charset=utf-8")


@pages.get("/assets/<path:name>")
def asset(name: str) -> Response:
    """Send a file that a page needs."""
    return send_from_directory(_WEB / "assets", name, max_age=_HOUR_S)
