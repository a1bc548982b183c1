"""Rulesets and their options."""

from typing import Final

from flask import Response

from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.schemas import rulesets as schemas
from service.game.errors import NotFound
from service.rules.options.catalogue import catalogue, summary
from service.rules.options.rulesets import RULESETS

resource: Final = Resource("Rulesets", "The games, and the house rules that a table can choose from.")

#: Rulesets only change with the service.
_CACHE_CONTROL: Final = "public, max-age=3600"


@resource.operation("GET", "/v1/rulesets", response=schemas.Rulesets(), auth=None)
def list_rulesets(_: ApiRequest) -> Response:
    """List the rulesets.

    With names and possible numbers of players: what a menu needs.
    """
    return json_response({"items": summary(), "next_cursor": None}, headers={"Cache-Control": _CACHE_CONTROL})


@resource.operation("GET", "/v1/rulesets/<ruleset>", response=schemas.Ruleset(), auth=None)
def get_ruleset(_: ApiRequest, ruleset: str) -> Response:
    """Read a ruleset.

    Its options with values, defaults, meanings and sources; and for each number of players the cards, the effective
    options and the score table.
    """
    if ruleset not in RULESETS:
        raise NotFound(what="ruleset", id=ruleset)
    return json_response(catalogue(ruleset), headers={"Cache-Control": _CACHE_CONTROL})
