"""Rulesets and their options."""

from functools import cache
from typing import Final

from flask import Response

from service.api.http.documents import Document
from service.api.operations import ApiRequest, Resource
from service.api.schemas import rulesets as schemas
from service.common import fastjson
from service.game.errors import NotFound
from service.rules.options.catalogue import catalogue, summary
from service.rules.options.rulesets import RULESETS

resource: Final = Resource("Rulesets", "The games, and the house rules that a table can choose from.")

#: Rulesets change only with a release.
_CACHE_CONTROL: Final = "public, max-age=3600"
_UNCHANGED: Final = {304: "Nothing has changed since the ETag. Charged to `poll`."}


def _json(value: object) -> Document:
    return Document(fastjson.dumps(value), "application/json", _CACHE_CONTROL)


@cache
def _summary() -> Document:
    return _json({"items": summary(), "next_cursor": None})


@cache
def _catalogue(ruleset: str) -> Document:
    return _json(catalogue(ruleset))


def _answer(request: ApiRequest, document: Document) -> Response:
    response = document.response(request.raw)
    if response.status_code == 304:
        request.refund()
    return response


@resource.operation(
    "GET",
    "/v1/rulesets",
    response=schemas.Rulesets(),
    auth=None,
    headers=("If-None-Match",),
    other_statuses=_UNCHANGED,
)
def list_rulesets(request: ApiRequest) -> Response:
    """List the rulesets.

    With names and possible numbers of players: what a menu needs.
    """
    return _answer(request, _summary())


@resource.operation(
    "GET",
    "/v1/rulesets/<ruleset>",
    response=schemas.Ruleset(),
    auth=None,
    headers=("If-None-Match",),
    other_statuses=_UNCHANGED,
)
def get_ruleset(request: ApiRequest, ruleset: str) -> Response:
    """Read a ruleset.

    Its options with values, defaults, meanings and sources; and for each number of players the cards, the effective
    options and the score table.
    """
    if ruleset not in RULESETS:
        raise NotFound(what="ruleset", id=ruleset)
    return _answer(request, _catalogue(ruleset))
