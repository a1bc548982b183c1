"""Every documented problem, produced over HTTP, in both languages."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from authlib.oauth2.rfc7636 import create_s256_code_challenge

from service.accounts.scopes import SCOPES
from service.api.http.auth import hash_of
from service.api.http.problems import STATUS, problem
from service.api.schemas.common import HINTS
from service.common.errors import IllegalPlay, TooComplex
from service.common.settings import Budget
from service.game.commands.decide import ACTIONS
from service.store import keys
from service.store.players.people import MOST_BLOCKS, MOST_FRIENDS
from service.store.port import StoreUnavailable
from service.texts import LANGUAGES, READ
from service.texts.problems import PROBLEMS
from service.texts.words import THINGS, WORDS
from service.tournaments import forms
from tests.api.boards.test_deal_links import enter, play_round, seated, send
from tests.api.contract import Client, assert_problem
from tests.support.sorting import by_day

KEY = "1f6c2a10-6f0e-4f3c-9a55-3b9d5f0c7a52"
NEW = {"ruleset": "shengji", "players": 4}

Answer = Any
#: Code -> function of the world and the headers to send; makes a request that is refused with this code.
PRODUCED: dict[str, Callable[..., Answer]] = {}


def produces(code):
    def note(produce):
        PRODUCED[code] = produce
        return produce

    return note


def waiting_for(world, kind, ruleset="shengji", players=4, **spec):
    """A table that waits for a kind of decision, and the seat that is asked."""
    table = world.table(players, ruleset, **spec)
    return table, table.play_until(kind)["seats"][0]


def send_act(table, seat, kind, headers, **body):
    body.setdefault("decision_id", table.state()["decision"]["id"])
    return table.clients[seat].post(f"{table.path}/{kind}", body, headers=headers)


def absent(table, seat):
    """A card that the seat does not hold."""
    return next(card for card in ("AS", "KD", "3C", "9H") if card not in table.view(seat)["my"]["hand"])


@produces("invalid-request")
def _(world, headers):
    return world.player().post("/v1/tables", {**NEW, "players": 3}, headers=headers)


@produces("unauthorized")
def _(world, headers):
    return world.anybody.with_token("sjt_of_nobody").get("/v1/me", headers=headers)


@produces("not-your-seat")
def _(world, headers):
    table, _ = waiting_for(world, "play")
    return world.player().post(f"{table.path}/play", {"decision_id": "dc_1", "cards": ["AS"]}, headers=headers)


@produces("not-host")
def _(world, headers):
    table = world.table(ready=False)
    return table.clients[1].delete(table.path, headers=headers)


@produces("private-table")
def _(world, headers):
    return world.player().get(world.table(visibility="private", ready=False).path, headers=headers)


@produces("no-spectators")
def _(world, headers):
    return world.player().get(world.table().path, headers=headers)


@produces("not-found")
def _(world, headers):
    return world.player().get("/v1/tables/tb_nothing", headers=headers)


@produces("method-not-allowed")
def _(world, headers):
    return world.anybody.put("/v1/players", headers=headers)


@produces("stale-decision")
def _(world, headers):
    table, seat = waiting_for(world, "play")
    return send_act(table, seat, "play", headers, decision_id="dc_1", cards=["AS"])


@produces("not-your-turn")
def _(world, headers):
    table, seat = waiting_for(world, "play")
    return send_act(table, (seat + 1) % 4, "play", headers, cards=["AS"])


@produces("wrong-phase")
def _(world, headers):
    table, seat = waiting_for(world, "discard")
    return send_act(table, seat, "play", headers, cards=["AS"])


@produces("seat-taken")
def _(world, headers):
    table = world.table(5, "zhaopengyou", ready=False)
    table.clients[4].delete(f"{table.path}/seats/me")
    return world.player().post(f"{table.path}/seats", {"seat": 1}, headers=headers)


@produces("table-full")
def _(world, headers):
    return world.player().post(f"{world.table(ready=False).path}/seats", {}, headers=headers)


@produces("already-seated")
def _(world, headers):
    table = world.table(ready=False)
    table.clients[3].delete(f"{table.path}/seats/me")
    return table.clients[1].post(f"{table.path}/seats", {"seat": 3}, headers=headers)


@produces("game-running")
def _(world, headers):
    table = world.table()
    return table.host.delete(f"{table.path}/seats/1", headers=headers)


@produces("not-finished")
def _(world, headers):
    table, _ = waiting_for(world, "play")
    return table.host.get(f"/v1/games/{table.state()['game']['id']}/rounds/1", headers=headers)


@produces("hints-off")
def _(world, headers):
    table, seat = waiting_for(world, "play")
    return send_act(table, seat, "hint", headers)


@produces("no-voice")
def _(world, headers):
    table, seat = waiting_for(world, "play")
    return table.clients[seat].get(f"{table.path}/voice", headers=headers)


@produces("version-mismatch")
def _(world, headers):
    table = world.table(ready=False)
    return table.host.patch(table.path, {"chat": False}, headers={**headers, "If-Match": '"1.0"'})


@produces("too-large")
def _(world, headers):
    body = b'"' + b"x" * world.settings.max_body_bytes + b'"'
    return world.anybody.post("/v1/players", data=body, content_type="application/json", headers=headers)


@produces("unsupported-media-type")
def _(world, headers):
    return world.anybody.post("/v1/players", data=b"name=Lin", content_type="text/plain", headers=headers)


@produces("illegal-declaration")
def _(world, headers):
    table, seat = waiting_for(world, "declare")
    return send_act(table, seat, "declare", headers, cards=[absent_rank(table, seat)])


def absent_rank(table, seat):
    """A card in the hand that cannot be declared."""
    return next(card for card in table.view(seat)["my"]["hand"] if card[0] not in "2LB")


@produces("illegal-discard")
def _(world, headers):
    table, seat = waiting_for(world, "discard")
    return send_act(table, seat, "discard", headers, cards=table.view(seat)["my"]["hand"][:1])


@produces("illegal-call")
def _(world, headers):
    table, seat = waiting_for(world, "call", "zhaopengyou", 5)
    return send_act(table, seat, "call", headers, calls=[{"card": "BJ", "ordinal": 1}])


@produces("illegal-play")
def _(world, headers):
    table, seat = waiting_for(world, "play")
    table.step()
    hand = table.view((seat + 1) % 4)["my"]["hand"]
    return send_act(table, (seat + 1) % 4, "play", headers, cards=hand)


@produces("cards-not-held")
def _(world, headers):
    table, seat = waiting_for(world, "play")
    return send_act(table, seat, "play", headers, cards=[absent(table, seat)])


@produces("invalid-option")
def _(world, headers):
    return world.player().post("/v1/tables", {**NEW, "options": {"overcall": "never"}}, headers=headers)


@produces("too-complex")
def _(world, headers):
    table, seat = waiting_for(world, "play")

    def heavy(_):
        raise TooComplex(budget=1000)

    table.world.tables.load = heavy
    return table.clients[seat].get(f"{table.path}/legal-plays", headers=headers)


@produces("idempotency-key-reused")
def _(world, headers):
    world.anybody.post("/v1/players", {"name": "Lin"}, headers={"Idempotency-Key": KEY})
    return world.anybody.post("/v1/players", {"name": "Mei"}, headers={**headers, "Idempotency-Key": KEY})


@produces("precondition-required")
def _(world, headers):
    table = world.table(ready=False)
    return table.host.patch(table.path, {"chat": False}, headers=headers)


@produces("operators-only")
def _(world, headers):
    world.start(operator_token="0123456789abcdef")
    return world.anybody.get("/metrics", headers=headers)


@produces("too-many-tables")
def _(world, headers):
    world.start(host_tables=1)
    host, new = world.player(), {"ruleset": "shengji", "players": 4}
    host.post("/v1/tables", new)
    return host.post("/v1/tables", new, headers=headers)


def room(host):
    return host.post("/v1/rooms", {"name": "Friday", "rules": {"ruleset": "shengji", "players": 4}}).json


@produces("too-many-rooms")
def _(world, headers):
    lin, mei = world.player(), world.player()
    while (made := room(lin)).get("code") is None:
        pass
    assert made["code"] == "too-many-rooms"
    return lin.post("/v1/me/rooms", {"code": room(mei)["links"]["member"]}, headers=headers)


@produces("room-full")
def _(world, headers):
    made = room(world.player())
    crowd = {f"pl_{number}": {"role": "member", "since": 1} for number in range(24)}
    world.stores.circles.change(made["room"], lambda circle: {**circle, "members": {**circle["members"], **crowd}})
    for number in crowd:
        world.redis.hset(keys.RECORDS, number, world.redis.hget(keys.RECORDS, made["people"][0]["player"]))
    return world.player().post("/v1/me/rooms", {"code": made["links"]["member"]}, headers=headers)


@produces("removed-from-room")
def _(world, headers):
    host, mallory = world.player(), world.player()
    made = room(host)
    mallory.post("/v1/me/rooms", {"code": made["links"]["member"]})
    host.delete(f"/v1/rooms/{made['room']}/people/{mallory.player['id']}")
    return mallory.post("/v1/me/rooms", {"code": made["links"]["member"]}, headers=headers)


@produces("only-watching")
def _(world, headers):
    made, wang = room(world.player()), world.player()
    wang.post("/v1/me/rooms", {"code": made["links"]["watcher"]})
    return wang.post(f"/v1/rooms/{made['room']}/table", headers=headers)


def club(owner, **more):
    return owner.post("/v1/clubs", {"name": "Lakeside", **more}).json


@produces("too-many-clubs")
def _(world, headers):
    lin = world.player()
    while club(lin).get("code") != "too-many-clubs":
        pass
    return lin.post("/v1/clubs", {"name": "Lakeside"}, headers=headers)


@produces("club-full")
def _(world, headers):
    made = club(world.player())
    crowd = {f"pl_{number}": {"role": "member", "since": 1} for number in range(200)}
    world.stores.clubs.change(made["club"], lambda stored: {**stored, "members": {**stored["members"], **crowd}})
    for number in crowd:
        world.redis.hset(keys.RECORDS, number, world.redis.hget(keys.RECORDS, made["people"][0]["player"]))
    return world.player().post("/v1/me/clubs", {"code": made["code"]}, headers=headers)


@produces("removed-from-club")
def _(world, headers):
    owner, mallory = world.player(), world.player()
    made = club(owner)
    mallory.post("/v1/me/clubs", {"code": made["code"]})
    owner.delete(f"/v1/clubs/{made['club']}/people/{mallory.player['id']}")
    return mallory.post("/v1/me/clubs", {"code": made["code"]}, headers=headers)


@produces("club-role-needed")
def _(world, headers):
    made, mei = club(world.player()), world.player()
    mei.post("/v1/me/clubs", {"code": made["code"]})
    return mei.patch(f"/v1/clubs/{made['club']}", {"name": "Mine"}, headers=headers)


@produces("season-over")
def _(world, headers):
    lin = world.player()
    about = {"name": "Spring", "starts_at": "2020-03-01T00:00:00Z", "ends_at": "2020-06-01T00:00:00Z"}
    path = f"/v1/clubs/{club(lin)['club']}/seasons"
    return lin.patch(f"{path}/{lin.post(path, about).json['season']}", {"best": 1}, headers=headers)


@produces("members-only")
def _(world, headers):
    lin = world.player()
    made = {"name": "Cup", "ruleset": "sishifen", "players": 4, "club": club(lin)["club"]}
    path = f"/v1/team-events/{lin.post('/v1/team-events', made).json['event']}"
    tao = world.player()
    members = [{"player": tao.player["id"]}, *[{"level": "easy"}] * 3]
    return tao.post(f"{path}/teams", {"teams": [{"name": "T", "members": members}]}, headers=headers)


@produces("last-owner")
def _(world, headers):
    lin = world.player()
    made = club(lin)
    world.player().post("/v1/me/clubs", {"code": made["code"]})
    return lin.delete(f"/v1/clubs/{made['club']}/people/{lin.player['id']}", headers=headers)


@produces("insufficient-scope")
def _(world, headers):
    token = world.player().post("/v1/me/tokens", {"name": "Board", "scopes": ["tables:read"]}).json["token"]
    return world.anybody.with_token(token).get("/v1/me", headers=headers)


@produces("too-many-tokens")
def _(world, headers):
    lin, token_spec = world.player(), {"name": "Board", "scopes": ["tables:read"]}
    while lin.post("/v1/me/tokens", token_spec).status_code == 201:
        pass
    return lin.post("/v1/me/tokens", token_spec, headers=headers)


def proven(world, identity):
    """What proves that somebody has signed in at an OpenID provider."""
    verifier = "x" * 43
    attempt = {"provider": "Example", "issuer": "https://id.example", "challenge": create_s256_code_challenge(verifier)}
    rest = dict.fromkeys(("return_to", "nonce", "verifier"), "")
    world.stores.identities.begin(hash_of(identity), {**attempt, **rest, "identity": identity}, 60_000)
    return {"code": identity, "verifier": verifier}


@produces("too-many-identities")
def _(world, headers):
    lin = world.player()
    for number in range(10):
        lin.post("/v1/me/identities", proven(world, f"{number}"))
    return lin.post("/v1/me/identities", proven(world, "one more"), headers=headers)


@produces("identity-taken")
def _(world, headers):
    world.player().post("/v1/me/identities", proven(world, "lin"))
    return world.player().post("/v1/me/identities", proven(world, "lin"), headers=headers)


@produces("last-way-in")
def _(world, headers):
    lin = world.player()
    linked = lin.post("/v1/me/identities", proven(world, "lin")).json["id"]
    return lin.delete(f"/v1/me/identities/{linked}", headers=headers)


@produces("too-many-subscriptions")
def _(world, headers):
    lin, webhook_spec = (
        world.player(),
        {"url": "https://hooks.slack.com/x", "name": "Chat", "events": ["turn"], "format": "slack"},
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.notices.outbound.Outbound.refusal_of_new", lambda *_: None)
        while lin.post("/v1/me/webhooks", webhook_spec).status_code == 201:
            pass
        return lin.post("/v1/me/webhooks", webhook_spec, headers=headers)


@produces("device-too-new")
def _(world, headers):
    lin = world.player()
    world.now += 1
    token = lin.post("/v1/me/tokens", {"name": "Phone", "scopes": list(SCOPES)}).json["token"]
    return world.anybody.with_token(token).post("/v1/me/recovery-code", headers=headers)


@produces("webhook-inactive")
def _(world, headers):
    lin = world.player()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.notices.outbound.Outbound.refusal_of_new", lambda *_: None)
        name = lin.post("/v1/me/webhooks", {"url": "https://bot.example", "name": "Bot", "events": ["turn"]}).json["id"]
    [delivery] = lin.get(f"/v1/me/webhooks/{name}/deliveries").json["items"]
    lin.patch(f"/v1/me/webhooks/{name}", {"active": False})
    return lin.post(f"/v1/me/webhooks/{name}/deliveries/{delivery['id']}/retry", headers=headers)


def an_event(world):
    world.conduct()
    return world.player().get("/v1/events").json["items"][0]["event"]


@produces("event-closed")
def _(world, headers):
    event = an_event(world)
    world.now += 24 * 3_600_000
    return world.player().post(f"/v1/events/{event}/entries", headers=headers)


@produces("bots-only")
def _(world, headers):
    world.now = world.now // 86_400_000 * 86_400_000
    lin = world.player(kind="human")
    world.conduct()
    event = lin.get("/v1/events?for=bots").json["items"][0]["event"]
    return lin.post(f"/v1/events/{event}/entries", headers=headers)


@produces("not-entered")
def _(world, headers):
    return world.player().post(f"/v1/events/{an_event(world)}/boards/1/table", headers=headers)


def a_deal(world):
    """Who has sent a deal, and its link."""
    lin = world.player()
    return lin, send(lin, *play_round(world, lin, seated(world, lin)))


@produces("not-sendable")
def _(world, headers):
    mei = world.player()
    game, number = play_round(world, mei, enter(mei, a_deal(world)[1]["code"]))
    return mei.post(f"/v1/games/{game}/rounds/{number}/deal-links", headers=headers)


@produces("too-many-deals")
def _(world, headers):
    lin, link = a_deal(world)
    stored = world.stores.deal_links.get(link["code"])
    for number in range(20):
        code = f"{number:A>12}"
        world.stores.deal_links.create({**stored, "code": code, "game": "gm_other"})
        world.stores.deal_links.add_sent(lin.player["id"], code, world.now)
    lin.delete(f"/v1/deal-links/{link['code']}")
    return lin.post(f"/v1/games/{stored['game']}/rounds/1/deal-links", headers=headers)


@produces("deal-known")
def _(world, headers):
    lin, link = a_deal(world)
    return lin.post(f"/v1/deal-links/{link['code']}/entries", headers=headers)


@produces("deal-full")
def _(world, headers):
    lin, link = a_deal(world)
    crowd = {f"pl_{number}": {"at": 1, "table": None, "line": None} for number in range(40)}
    world.stores.deal_links.change(link["code"], lambda stored: {**stored, "entries": crowd})
    for player in crowd:
        world.redis.hset(keys.RECORDS, player, world.redis.hget(keys.RECORDS, lin.player["id"]))
    return world.player().post(f"/v1/deal-links/{link['code']}/entries", headers=headers)


@produces("board-played")
def _(world, headers):
    event, lin = an_event(world), world.player()
    lin.post(f"/v1/events/{event}/entries")
    result = {"deal": 0, "game": "gm_1", "at": world.now, "value": 0}
    world.stores.boards.add_result(event, 1, lin.player["id"], result)
    return lin.post(f"/v1/events/{event}/boards/1/table", headers=headers)


def a_cup(world, teams=0, **more):
    """A team event: its path, its director, and the captains of its teams."""
    director, captains = world.player(), [world.player() for _ in range(teams)]
    setup = {"name": "Cup", "ruleset": "sishifen", "players": 4, "rounds": 1, "boards": 1, **more}
    path = f"/v1/team-events/{director.post('/v1/team-events', setup).json['event']}"
    for number, captain in enumerate(captains):
        captain.post(f"{path}/teams", {"teams": [a_team(captain, f"Team {number}")]})
    return path, director, captains


def a_team(captain, name="Team"):
    return {"name": name, "members": [{"player": captain.player["id"]}, *[{"level": "easy"}] * 3]}


@produces("not-director")
def _(world, headers):
    return world.player().post(f"{a_cup(world)[0]}/rounds", {"round": 1}, headers=headers)


@produces("plays-in-event")
def _(world, headers):
    path, director, [lin] = a_cup(world, 1)
    director.put(f"{path}/showing", {})
    return lin.get(f"{path}/showing", headers=headers)


@produces("not-commentator")
def _(world, headers):
    path, director, _ = a_cup(world)
    director.put(f"{path}/showing", {})
    return world.player().post(f"{path}/showing/boards/1/comments", {"text": "Well played"}, headers=headers)


@produces("round-not-ready")
def _(world, headers):
    path, director, _ = a_cup(world)
    return director.post(f"{path}/rounds", {"round": 1}, headers=headers)


@produces("entries-closed")
def _(world, headers):
    path, director, _ = a_cup(world, 2)
    director.post(f"{path}/rounds", {"round": 1})
    lin = world.player()
    return lin.post(f"{path}/teams", {"teams": [a_team(lin)]}, headers=headers)


@produces("round-closed")
def _(world, headers):
    path, director, _ = a_cup(world, 2)
    director.post(f"{path}/rounds", {"round": 1})
    ended = {"closes_at": "2023-01-01T00:00:00Z"}
    director.patch(f"{path}/rounds/1", ended)
    return director.patch(f"{path}/rounds/1", ended, headers=headers)


@produces("own-team")
def _(world, headers):
    path, director, _ = a_cup(world, 1)
    own = director.post(f"{path}/teams", {"teams": [a_team(director)]}).json["mine"]["team"]
    return director.put(f"{path}/teams/{own}/penalty", {"amount": 100, "reason": "Late"}, headers=headers)


@produces("not-the-last-ruling")
def _(world, headers):
    path, director, _ = a_cup(world)
    return director.post(f"{path}/undo", {"act": 1, "reason": "Not so"}, headers=headers)


@produces("match-not-open")
def _(world, headers):
    path, director, [lin, mei] = a_cup(world, 2, league="agreed", round_ms=7 * 86_400_000)
    director.post(f"{path}/rounds", {"round": 1})
    for captain in (lin, mei):
        captain.put(f"{path}/matches/1-1/readiness")
    return lin.delete(f"{path}/matches/1-1/readiness", headers=headers)


@produces("in-another-team")
def _(world, headers):
    path, _, [lin] = a_cup(world, 1)
    return lin.post(f"{path}/teams", {"teams": [a_team(lin, "Another")]}, headers=headers)


@produces("too-many-teams")
def _(world, headers):
    path, director, _ = a_cup(world, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(forms.FORMS, forms.SWISS, forms.FORMS[forms.SWISS]._replace(most=1))
        return director.post(f"{path}/teams", {"teams": [a_team(world.player()) for _ in range(2)]}, headers=headers)


@produces("too-many-events")
def _(world, headers):
    lin, setup = world.player(), {"name": "Cup", "ruleset": "sishifen", "players": 4}
    while (answer := lin.post("/v1/team-events", setup, headers=headers)).status_code == 201:
        pass
    return answer


@produces("suspended")
def _(world, headers):
    lin = world.player()
    world.app.extensions["services"].moderation.suspend(lin.player["id"], world.now + 1, "chat", None)
    world.start()
    return world.anybody.with_token(lin.token).get("/v1/me/tables", headers=headers)


@produces("name-held")
def _(world, headers):
    lin = world.player()
    world.app.extensions["services"].moderation.rename(lin.player["id"], "Player 7")
    return lin.patch("/v1/me", {"name": "Rude"}, headers=headers)


@produces("nothing-to-appeal")
def _(world, headers):
    return world.player().put("/v1/me/appeal", {"text": "Why?"}, headers=headers)


@produces("appeal-decided")
def _(world, headers):
    lin = world.player()
    moderation = world.app.extensions["services"].moderation
    moderation.rename(lin.player["id"], "Player 7")
    lin.put("/v1/me/appeal", {"text": "It is my name."})
    [report] = moderation.reports(lin.player["id"])
    moderation.close_report(report["id"], is_closed=True)
    return lin.put("/v1/me/appeal", {"text": "Again."}, headers=headers)


@produces("player-blocked")
def _(world, headers):
    lin, other = world.player(), world.player().player["id"]
    lin.put(f"/v1/me/blocks/{other}")
    return lin.put(f"/v1/me/friends/{other}", headers=headers)


@produces("too-many-blocks")
def _(world, headers):
    lin = world.player()
    world.redis.zadd(keys.blocks_of(lin.player["id"]), {f"pl_{number}": 1 for number in range(MOST_BLOCKS)})
    return lin.put(f"/v1/me/blocks/{world.player().player['id']}", headers=headers)


@produces("too-many-friends")
def _(world, headers):
    lin = world.player()
    friends = {f"pl_{number}": "asked 1" for number in range(MOST_FRIENDS)}
    world.redis.hset(keys.friends_of(lin.player["id"]), mapping=friends)
    return lin.put(f"/v1/me/friends/{world.player().player['id']}", headers=headers)


def befriended(one, other):
    one.put(f"/v1/me/friends/{other.player['id']}")
    other.put(f"/v1/me/friends/{one.player['id']}")


@produces("ticket-open")
def _(world, headers):
    lin = world.player()
    lin.post("/v1/me/ticket", NEW)
    return lin.post("/v1/me/ticket", NEW, headers=headers)


@produces("not-friends")
def _(world, headers):
    party = {"with": [world.player().player["id"]]}
    return world.player().post("/v1/me/ticket", {**NEW, **party}, headers=headers)


@produces("party-busy")
def _(world, headers):
    lin, mei = world.player(), world.player()
    befriended(lin, mei)
    mei.post("/v1/me/ticket", NEW)
    return lin.post("/v1/me/ticket", {**NEW, "with": [mei.player["id"]]}, headers=headers)


@produces("not-matched")
def _(world, headers):
    return world.player().put("/v1/me/ticket/confirmation", headers=headers)


@produces("not-accepted")
def _(world, headers):
    mei = world.player("Mei").player["id"]
    return world.player().post(f"/v1/players/{mei}/challenges", NEW, headers=headers)


@produces("challenge-over")
def _(world, headers):
    lin, mei = world.player(), world.player("Mei")
    mei.patch("/v1/me", {"accepts": {}})
    world.stores.people.note_here([mei.player["id"]], world.now)
    challenge = lin.post(f"/v1/players/{mei.player['id']}/challenges", NEW)
    path = f"/v1/challenges/{challenge.json['challenge']}"
    lin.delete(path)
    return mei.put(f"{path}/answer", {"accept": True}, headers=headers)


@produces("address-blocked")
def _(world, headers):
    block = {"network": "203.0.113.0/24", "at": world.now, "by": "", "note": None, "until": None}
    world.stores.admission.block(block)
    world.start()
    return world.anybody.get("/v1", headers=headers, environ_base={"REMOTE_ADDR": "203.0.113.9"})


@produces("registration-closed")
def _(world, headers):
    world.start(registration="invited")
    return world.anybody.post("/v1/players", {"name": "Mei"}, headers=headers)


@produces("too-many-codes")
def _(world, headers):
    token = world.player().token
    world.start(registration="invited", invites=0)
    return Client(world.app, token).post("/v1/me/registration-codes", headers=headers)


@produces("rate-limited")
def _(world, headers):
    world.start(limit_register=Budget(1, 60))
    world.player()
    return world.anybody.post("/v1/players", {"name": "Mei"}, headers=headers)


@produces("too-many-streams")
def _(world, headers):
    host = world.player()
    table = host.post("/v1/tables", {"ruleset": "shengji", "players": 4}).json["id"]
    world.start(player_streams=1)
    with world.app.extensions["services"].streams.hold(host.player["id"], "another table"):
        again = Client(world.app, host.token)
        return again.get(f"/v1/tables/{table}/events?wait=1", headers=headers)


@produces("internal-error")
def _(world, headers):
    world.stores.players.get = None
    return Client(world.app, world.player().token).get("/v1/players/pl_x", headers=headers)


@produces("unavailable")
def _(world, headers):
    def away(_):
        raise StoreUnavailable(ConnectionError("gone"))

    world.tables.load = away
    return world.player().get("/v1/tables/tb_x", headers=headers)


#: Requests that are refused with these never reach the application: see `test_server.py`.
FROM_THE_SERVER = {"uri-too-long", "headers-too-large"}


def test_every_problem_is_produced():
    assert set(PRODUCED) | FROM_THE_SERVER == set(STATUS) == set(PROBLEMS)


#: Each problem in each language. By day, languages alternate.
TOLD = [(code, language) for code in PRODUCED for language in READ]
SOME = [each for at, each in enumerate(TOLD) if at % 3 == at // 3 % 3]


@pytest.mark.parametrize(("code", "language"), by_day(SOME, TOLD))
def test_every_problem_has_a_text_in_every_language(world, code, language):
    answer = PRODUCED[code](world, {"Accept-Language": language})
    problem = assert_problem(answer, code)
    assert (answer.status_code, answer.headers["Content-Language"]) == (STATUS[code], language)
    assert "Accept-Language" in answer.headers["Vary"]
    assert problem["title"] == PROBLEMS[code].title[language]
    texts = [problem["title"], problem["detail"], *(fault["detail"] for fault in problem["errors"])]
    for text in texts:
        assert bool(re.search(r"[\u4e00-\u9fff]", text)) == language.startswith("zh"), text
    # Programs find the numbers that a text mentions in other fields.
    numbers = set(re.findall(r"(?<![\w-])\d+", problem["detail"]))
    known = str([problem["params"], problem.get("required"), problem.get("decision"), problem["errors"]])
    assert {number for number in numbers if number not in known} == set(), problem


def test_every_name_in_a_text_has_a_word_in_each_language():
    assert set(HINTS) | set(ACTIONS) <= set(WORDS)
    assert all(set(word) == set(LANGUAGES) for word in [*WORDS.values(), *THINGS.values()])


def test_an_unknown_vote_is_not_found_with_a_proper_sentence(world):
    table = world.table()
    answer = table.host.put(f"{table.path}/votes/vt_1", {"approve": True}, headers={"Accept-Language": "en"})
    assert assert_problem(answer, "not-found", what="vote")["detail"] == "There is no such vote here."


def test_texts_use_words_and_params_use_codes(world):
    table, seat = waiting_for(world, "discard")
    body = send_act(table, seat, "overcall-kitty", {}, cards=["2S", "2S"]).json
    assert body["params"] == {"action": "overcall_kitty", "expected": "discard"}
    assert body["detail"] == ("This is not the time for an overcall for the kitty: the table is waiting for a discard.")
    body = table.host.get("/v1/tables/tb_x", headers={"Accept-Language": "zh"}).json
    assert (body["params"], body["detail"]) == ({"what": "table", "id": "tb_x"}, "这里没有这样的牌桌。")


def test_a_broken_rule_names_suits_in_words():
    def sentence_of(language, rule, **values):
        return problem(IllegalPlay(rule, **values), language, instance="/", request_id="")["detail"]

    assert "of: clubs, hearts and trumps." in sentence_of("en", "one_suit", suits=["C", "H", "trumps"])
    assert "属于：梅花、红心、主牌。" in sentence_of("zh-Hans", "one_suit", suits=["C", "H", "trumps"])
    assert "（主牌）" in sentence_of("zh-Hans", "follow_suit", suit="trumps", held=1, cards=2)
