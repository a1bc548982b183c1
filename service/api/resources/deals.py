"""How cards were dealt, beside what chance would give."""

from typing import Final

from flask import Response

from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.schemas import deals as schemas
from service.game.errors import NotFound
from service.rules.options.rulesets import RULESETS

resource: Final = Resource("Deals", "How cards were dealt, for everybody to judge.")

#: The counters grow with each finished game; a page that is read often need not show the latest.
_HEADERS: Final = {"Cache-Control": "public, max-age=60"}


@resource.operation(
    "GET",
    "/v1/rulesets/<ruleset>/deals/<int:players>",
    response=schemas.DealDistribution(),
    auth=None,
    cost=10,
)
def get_deals(request: ApiRequest, ruleset: str, players: int) -> Response:
    """Read how cards were dealt.

    How many pairs and jokers the hands of finished games had, and how long their longest suits were, by seat and by
    kind of players, beside the exact probabilities. Counted is the first deal of each finished round with the ruleset's
    own cards. `docs/check_deals.py` counts the same from records, after checking their shuffles.
    """
    if ruleset not in RULESETS or players not in RULESETS[ruleset].players:
        raise NotFound(what="ruleset", id=ruleset)
    return json_response(request.services.deals.distribution(ruleset, players), headers=_HEADERS)
