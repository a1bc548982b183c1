"""The resources of the API, one in a file."""

from typing import Final

from service.api.resources import (
    account_events,
    accounts,
    actions,
    analyses,
    chat,
    checks,
    events,
    games,
    hints,
    leaderboard,
    lobby,
    meta,
    oracle,
    pars,
    past_games,
    players,
    reports,
    rulesets,
    seats,
    tables,
    take_backs,
    votes,
)

#: In the order in which `openapi.yaml` shows them.
RESOURCES: Final = (
    meta.resource,
    players.resource,
    accounts.resource,
    reports.resource,
    rulesets.resource,
    oracle.resource,
    lobby.resource,
    tables.resource,
    seats.resource,
    actions.resource,
    hints.resource,
    chat.resource,
    votes.resource,
    take_backs.resource,
    events.resource,
    account_events.resource,
    games.resource,
    past_games.resource,
    analyses.resource,
    pars.resource,
    leaderboard.resource,
    checks.resource,
)
