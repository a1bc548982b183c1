"""Rulesets and their options."""

from functools import lru_cache
from typing import Final

from flask import Response

from service import fastjson
from service.api.http.operations import Call, Resource
from service.api.http.responses import reply
from service.api.schemas import rulesets as schemas
from service.game.errors import NotFound
from service.rules.catalogue import catalogue, summary
from service.rules.rulesets import RULESETS

resource: Final = Resource("Rulesets", "The games, and the house rules that a table may choose from.")

#: Rulesets change with the service only.
_CACHE: Final = "public, max-age=3600"


@resource.operation("GET", "/v1/rulesets", gives=schemas.Rulesets(), who=None)
def list_rulesets(_: Call) -> Response:
    """List the rulesets.

    Their names and possible numbers of players; what a menu needs.
    """
    return reply({"items": summary(), "next_cursor": None}, headers={"Cache-Control": _CACHE})


@lru_cache(maxsize=32)
def _written(ruleset: str) -> bytes:
    return fastjson.dumps(catalogue(ruleset))


@resource.operation("GET", "/v1/rulesets/<ruleset>", gives=schemas.Ruleset(), who=None)
def get_ruleset(_: Call, ruleset: str) -> Response:
    """Read a ruleset.

    Its options with their values, defaults, meanings and sources; the cards, options in effect and score table for
    each number of players.
    """
    if ruleset not in RULESETS:
        raise NotFound(what="ruleset", id=ruleset)
    return Response(_written(ruleset), content_type="application/json", headers={"Cache-Control": _CACHE})
