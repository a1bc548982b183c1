"""Rulesets and their options."""

from functools import cache
from typing import Final

from flask import Response

from service.api.http.documents import Document
from service.api.operations import ApiRequest, Resource
from service.api.schemas import rulesets as schemas
from service.common import fastjson
from service.game.errors import NotFound
from service.game.state.settings import MOST_LEVELS, MOST_MINUTES, MOST_ROUNDS
from service.rules.options.catalogue import catalogue, summary
from service.rules.options.rulesets import RULESETS
from service.texts.settings import LENGTH

resource: Final = Resource("Rulesets", "The games, and the house rules that a table can choose from.")

#: Rulesets change only with a release.
_CACHE_CONTROL: Final = "public, max-age=3600"
#: Part of `length` -> its values as a JSON Schema. Which levels there are depends on the options of the table.
_SCHEMAS: Final = {
    "rounds": {"type": "integer", "minimum": 1, "maximum": MOST_ROUNDS},
    "minutes": {"type": "integer", "minimum": 1, "maximum": MOST_MINUTES},
    "last_round": {"enum": ["played", "dropped"]},
    "levels": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": MOST_LEVELS},
}
_UNCHANGED: Final = {304: "Nothing has changed since the ETag. Charged to `poll`."}


def _json(value: object) -> Document:
    return Document(fastjson.dumps(value), "application/json", _CACHE_CONTROL)


@cache
def _summary() -> Document:
    return _json({"items": summary(), "next_cursor": None})


@cache
def _catalogue(ruleset: str) -> Document:
    return _json({**catalogue(ruleset), "length": [_part(name) for name in LENGTH if _applies(ruleset, name)]})


def _applies(ruleset: str, part: str) -> bool:
    """Return whether games of a ruleset can have a part of `length`."""
    return part != "levels" or RULESETS[ruleset].family != "arms_length"


def _part(name: str) -> dict[str, object]:
    """Describe a part of `length`."""
    return {"name": name, "title": LENGTH[name].title, "meaning": LENGTH[name].meaning, "schema": _SCHEMAS[name]}


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
