"""An example of each problem, built by the same code as real ones, for `openapi.yaml` and tests of clients."""

from typing import Any, Final

from service.accounts import errors as a
from service.api.http import problems as p
from service.boards import errors as b
from service.circles import errors as c
from service.clubs import errors as k
from service.common.errors import (
    CardsNotHeld,
    IllegalCall,
    IllegalDeclaration,
    IllegalDiscard,
    IllegalPlay,
    InvalidOption,
    Refusal,
    TooComplex,
)
from service.game import errors as g
from service.matchmaking import errors as m
from service.moderation import errors as d
from service.notices.errors import TooManySubscriptions, WebhookInactive
from service.people import errors as w
from service.tournaments import errors as t
from service.voice import errors as v

_TABLE: Final = "/v1/tables/tb_7h2kx5q2m4na"
#: 2026-11-20T19:29:38.550Z
_NOW: Final = 1_795_202_978_550
_OPEN: Final[dict[str, object]] = {
    "id": "dc_481",
    "kind": "play",
    "seats": [2],
    "opened_seq": 481,
    "deadline_at": "2026-11-20T19:30:00.000Z",
    "remaining_ms": 21450,
    "on_timeout": "auto_play",
    "hints": {"cards": 2, "must_follow": "D", "required": [], "example": ["4D", "4D"]},
}

#: An example refusal per code, and its path (below `_TABLE`, or a full path).
REFUSALS: Final[tuple[tuple[Refusal, str], ...]] = (
    (p.InvalidFields([p.Fault("/cards/0", "no_such_card", {})]), "/play"),
    (p.Unauthorized(), "/v1/me"),
    (a.InsufficientScope(required=["tables:play"]), "/play"),
    (
        a.Suspended(until="2026-12-01T00:00:00.000Z", remaining_ms=880_221_450, cause="chat", note=None),
        "/play",
    ),
    (p.AddressBlocked(), "/play"),
    (d.RegistrationClosed(reason="registration_code_needed"), "/v1/players"),
    (d.TooManyCodes(limit=5, days=30), "/v1/me/registration-codes"),
    (d.NothingToAppeal(), "/v1/me/appeal"),
    (d.AppealDecided(answer=None), "/v1/me/appeal"),
    (g.NotYourSeat(), "/play"),
    (g.NotHost(), "/seats/3"),
    (g.PrivateTable(reason="no_join_code"), "/seats"),
    (g.NoSpectators(reason="running"), ""),
    (g.NotFound(what="table", id="tb_7h2kx5q2m4na"), ""),
    (a.IdentityTaken(provider="Google"), "/v1/me/identities"),
    (a.TooManyIdentities(limit=10), "/v1/me/identities"),
    (a.LastWayIn(), "/v1/me/identities/id_3f2a9c41d07be586"),
    (p.MethodIsNotAllowed(method="PUT", allowed=["OPTIONS", "POST"]), "/play"),
    (g.StaleDecision("dc_477", _OPEN, _NOW), "/play"),
    (g.NotYourTurn(seats=[2]), "/play"),
    (g.WrongPhase(action="discard", expected="play"), "/discard"),
    (g.SeatTaken(seat=2), "/seats"),
    (g.TableFull(), "/seats"),
    (g.AlreadySeated(seat=2), "/seats"),
    (g.GameRunning(), "/seats"),
    (g.NotFinished(what="round"), "/v1/games/gm_2c7f/record"),
    (g.HintsOff(hints="unrated"), "/hint"),
    (v.NoVoice(reason="voice_unwanted"), "/voice"),
    (g.VersionMismatch(expected=5, actual=6), ""),
    (p.BodyTooLarge(limit=65536), "/play"),
    (p.UriTooLong(), "/events"),
    (p.HeadersTooLarge(), "/play"),
    (p.UnsupportedMediaType(), "/play"),
    (IllegalDeclaration("overcall_higher", required={"cards": 3}, standing=["7H", "7H"]), "/declare"),
    (IllegalDiscard("kitty_size", required={"cards": 8}, given=7), "/discard"),
    (IllegalCall("call_no_trumps", card="7H"), "/call"),
    (IllegalPlay("follow_suit", required={"suit": "D", "held": 5, "cards": 2}, example=["4D", "4D"]), "/play"),
    (CardsNotHeld(missing=["KD"]), "/play"),
    (
        InvalidOption(option="overcall", value="never", accepted=["none", "longer"], reason="no_such_value"),
        "/v1/tables",
    ),
    (TooComplex(budget=200_000), "/legal-plays"),
    (g.IdempotencyKeyReused(), "/v1/tables"),
    (p.PreconditionRequired(), ""),
    (p.OperatorsOnly(), "/metrics"),
    (m.TooManyTables(limit=30), "/v1/tables"),
    (c.TooManyRooms(limit=30), "/v1/me/rooms"),
    (c.RoomFull(limit=24), "/v1/me/rooms"),
    (c.RemovedFromRoom(), "/v1/me/rooms"),
    (c.OnlyWatching(), "/v1/rooms/rm_5kx3q2m4na7h/table"),
    (k.TooManyClubs(limit=30), "/v1/me/clubs"),
    (k.ClubFull(limit=200, what="members"), "/v1/me/clubs"),
    (k.RemovedFromClub(), "/v1/me/clubs"),
    (k.ClubRoleNeeded(role="owner"), "/v1/clubs/cb_5kx3q2m4na7h"),
    (t.MembersOnly(player="pl_x5q2k7d3m4na"), "/v1/team-events/ev_7h2kx5q2m4na/teams"),
    (
        k.SeasonOver(season="cs_5kx3q2m4na7h", ended_at="2026-12-31T16:00:00.000Z"),
        "/v1/clubs/cb_5kx3q2m4na7h/seasons/cs_5kx3q2m4na7h",
    ),
    (k.LastOwner(), "/v1/clubs/cb_5kx3q2m4na7h/people/pl_x5q2k7d3m4na"),
    (
        b.BotsOnly(event="ev_20261120_shengji_4_bots"),
        "/v1/events/ev_20261120_shengji_4_bots/entries",
    ),
    (
        b.EventClosed(event="ev_20261120_shengji_4", closed_at="2026-11-21T00:00:00.000Z"),
        "/v1/events/ev_20261120_shengji_4/entries",
    ),
    (b.NotEntered(event="ev_20261120_shengji_4"), "/v1/events/ev_20261120_shengji_4/boards/1/table"),
    (b.BoardPlayed(board=1, left=[2, 5]), "/v1/events/ev_20261120_shengji_4/boards/1/table"),
    (b.NotSendable(), "/v1/games/gm_7h2kx5q2m4na_1/rounds/1/deal-links"),
    (b.TooManyDeals(limit=20), "/v1/games/gm_7h2kx5q2m4na_1/rounds/1/deal-links"),
    (b.DealKnown(), "/v1/deal-links/K7PQ2M9XWR4T/entries"),
    (b.DealFull(limit=40), "/v1/deal-links/K7PQ2M9XWR4T/entries"),
    (t.NotDirector(event="ev_7h2kx5q2m4na"), "/v1/team-events/ev_7h2kx5q2m4na/rounds"),
    (t.PlaysInEvent(event="ev_7h2kx5q2m4na"), "/v1/team-events/ev_7h2kx5q2m4na/showing"),
    (t.NotCommentator(event="ev_7h2kx5q2m4na"), "/v1/team-events/ev_7h2kx5q2m4na/showing/boards/1/comments"),
    (t.EntriesClosed(event="ev_7h2kx5q2m4na"), "/v1/team-events/ev_7h2kx5q2m4na/teams"),
    (
        t.InAnotherTeam(player="pl_7mq2x5k3d4na", team="tm_5kx3q2m4na7h"),
        "/v1/team-events/ev_7h2kx5q2m4na/teams",
    ),
    (t.OwnTeam(team="tm_5kx3q2m4na7h"), "/v1/team-events/ev_7h2kx5q2m4na/teams/tm_5kx3q2m4na7h/penalty"),
    (t.NotTheLastRuling(act=7), "/v1/team-events/ev_7h2kx5q2m4na/undo"),
    (t.TooManyTeams(limit=64), "/v1/team-events/ev_7h2kx5q2m4na/teams"),
    (t.TooManyEvents(limit=10), "/v1/team-events"),
    (
        t.RoundNotReady(reason="team_incomplete", teams=["tm_5kx3q2m4na7h"]),
        "/v1/team-events/ev_7h2kx5q2m4na/rounds",
    ),
    (t.RoundClosed(round=1), "/v1/team-events/ev_7h2kx5q2m4na/rounds/1"),
    (t.MatchNotOpen(reason="begun"), "/v1/team-events/ev_7h2kx5q2m4na/matches/1-2/time"),
    (a.TooManyTokens(limit=20), "/v1/me/tokens"),
    (TooManySubscriptions(kind="webhook", limit=5), "/v1/me/webhooks"),
    (g.NameHeld(until="2026-11-20T18:24:01.123Z"), "/v1/me"),
    (a.DeviceTooNew(remaining_ms=240_000), "/v1/me/identities"),
    (WebhookInactive(state="pending"), "/v1/me/webhooks/wh_4wz7q2m5kx3a/deliveries/msg_1c7f2a/retry"),
    (w.PlayerBlocked(), "/v1/me/friends/pl_7mq2x5k3d4na"),
    (w.TooManyBlocks(limit=200), "/v1/me/blocks/pl_7mq2x5k3d4na"),
    (w.TooManyFriends(limit=200), "/v1/me/friends/pl_7mq2x5k3d4na"),
    (m.TicketOpen(ticket="ti_5kx3q2m4na7h"), "/v1/me/ticket"),
    (m.NotFriends(players=["pl_7mq2x5k3d4na"]), "/v1/me/ticket"),
    (m.PartyBusy(player="pl_7mq2x5k3d4na"), "/v1/me/ticket"),
    (m.NotMatched(), "/v1/me/ticket/confirmation"),
    (m.NotAccepted(what="concurrent"), "/v1/players/pl_7mq2x5k3d4na/challenges"),
    (m.ChallengeOver(state="expired"), "/v1/challenges/ch_5kx3q2m4na7h/answer"),
    (p.RateLimited(budget="act", limit=6000, window_s=60, retry_after_s=12), "/play"),
    (p.TooManyStreams(limit=20, retry_after_s=5), "/events"),
    (p.InternalError(), "/play"),
    (p.Unavailable(retry_after_s=p.RETRY_AFTER_S), "/play"),
)


def problem_examples() -> dict[str, dict[str, Any]]:
    """Return an Example Object for each code."""
    examples = {}
    for refusal, path in REFUSALS:
        instance = path if path.startswith("/v1") else _TABLE + path
        value = p.problem(refusal, "en", instance=instance, request_id="rq_4b1c22f09a7de310")
        examples[refusal.code] = {"summary": value["title"], "value": value}
    return examples
