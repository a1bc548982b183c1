"""Plays a round with the client that openapi-python-client generates: URL RULESET PLAYERS.

Run by `test_generated.py`, in the environment of the tools. Prints what it saw as JSON.
"""

import json
import sys
from http import HTTPStatus

from sheng_ji_service_client import AuthenticatedClient, Client
from sheng_ji_service_client import models as m
from sheng_ji_service_client.api.actions import call_friends, declare, discard, pass_decision, play
from sheng_ji_service_client.api.events import list_events
from sheng_ji_service_client.api.players import list_my_tables, register
from sheng_ji_service_client.api.seats import ready, seat_ai, take_seat
from sheng_ji_service_client.api.tables import create_table, get_table


def good(answer):
    """Return the body of a response, which must be a success."""
    assert answer.status_code in (HTTPStatus.OK, HTTPStatus.CREATED), answer.content
    assert answer.parsed is not None
    assert not isinstance(answer.parsed, m.Problem)
    return answer.parsed


def answer_to(decision):
    """Return the operation and the body that answer a decision by its hints."""
    hints, named = decision.hints, decision.id
    if decision.kind == "play":
        return play, m.PlayAction(named, hints.example)
    if decision.kind == "discard":
        return discard, m.DiscardAction(named, hints.example)
    if decision.kind == "call":
        calls = [m.CardCall.from_dict(call.to_dict()) for call in hints.example]
        return call_friends, m.CallAction(named, calls)
    if decision.kind in ("declare", "defend") and hints.possible:
        return declare, m.DeclareAction(named, hints.possible[0])
    return pass_decision, m.PassAction(named)


def play_round(url, ruleset, players):
    registered = good(
        register.sync_detailed(client=Client(url), body=m.Registration("Generated", m.RegistrationKind.BOT))
    )
    client = AuthenticatedClient(url, registered.token, timeout=60)
    options = m.TableSetupOptions.from_dict({"deal_pace": "instant"})
    body = m.TableSetup(m.TableSetupRuleset(ruleset), players, options=options, ai_pace_ms=0)
    table = good(create_table.sync_detailed(client=client, body=body)).id
    good(take_seat.sync_detailed(table, client=client, body=m.Sitting(seat=0)))
    for seat in range(1, players):
        good(seat_ai.sync_detailed(table, seat, client=client, body=m.AiSeat()))
    good(ready.sync_detailed(table, client=client, body=m.ReadyState()))
    events, after, mine = [], 0, 0
    while True:
        page = good(list_events.sync_detailed(table, client=client, after=after, wait=20))
        events, after = events + page.events, page.next_after
        view = good(get_table.sync_detailed(table, client=client))
        decision = view.decision
        if view.version > after or decision is None:
            continue
        if decision.kind == "ready":
            break
        if 0 in decision.seats:
            operation, body = answer_to(decision)
            outcome = good(operation.sync_detailed(table, client=client, body=body))
            assert outcome.view.version == outcome.version
            mine += 1
    waiting = good(list_my_tables.sync_detailed(client=client)).items
    return {
        "actions": mine,
        "seqs": [event.seq for event in events],
        "types": sorted({event.type_ for event in events}),
        "result": view.game.results[0].to_dict(),
        "cards_left": sum(seat.hand_count for seat in view.seats),
        "tables": [each.table for each in waiting] == [table],
    }


if __name__ == "__main__":
    print(json.dumps(play_round(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
