"""Accounts: tokens, link codes, recovery codes, export."""

from service.accounts.scopes import SCOPES
from service.api.schemas import chosen
from service.api.schemas import fields as f
from service.api.schemas.account_events import AccountEvent
from service.api.schemas.boards import OwnBoardResult
from service.api.schemas.calendars import Calendar
from service.api.schemas.challenges import AcceptedChallenges
from service.api.schemas.clubs import KeptClub
from service.api.schemas.common import MOST_KEPT, keep_query, next_cursor
from service.api.schemas.deal_links import KeptDealLink
from service.api.schemas.identities import Identity
from service.api.schemas.notices import Delivery, Device, NoticeChoice, Webhook
from service.api.schemas.objections import Objection
from service.api.schemas.past_rounds import KeptRound
from service.api.schemas.people import TIES
from service.api.schemas.players import INVITED_BY, INVITER, KINDS, SHOWN_TO, Player
from service.api.schemas.reports import Report
from service.api.schemas.results import POOL, RatingPoint
from service.api.schemas.riddles import KeptAnswer
from service.api.schemas.rooms import KeptRoom
from service.rules.pools import POOLS
from service.texts import READ

#: Longest lifetime of a token (ms): ten years.
MOST_LIFETIME_MS = 10 * 365 * 24 * 3_600_000


def _token_name(**attributes: object) -> f.Field:
    return f.name("Where it is used, for the list of devices.", 40, example="Lin's phone", **attributes)  # type: ignore[arg-type]


class TokenInfo(f.Contract):
    """A token. The token itself is shown once, when it is made."""

    id = f.text("Its id, which rotation does not change.", example="tk_x5q2k7d3m4na")
    name = f.text("Given by the player; null: not named, like the first token.", nullable=True, example="Lin's phone")
    scopes = f.array(f.extensible("", SCOPES), "What it allows.", example=["tables:read"])
    created_at = f.time("When it was made.")
    last_used_on = f.text("The day of its last use, in UTC.", example="2026-11-20")
    expires_at = f.time("When it becomes void; null: never.", nullable=True)


class MyToken(TokenInfo):
    """One of the caller's tokens."""

    current = f.flag("Whether this request was sent with it.")


class MyTokens(f.Contract):
    """The caller's tokens, oldest first."""

    items = f.array(f.nested(MyToken), "The tokens.")
    next_cursor = next_cursor()
    has_recovery_code = f.flag("Whether there is a recovery code that has not been used.")
    identities = f.array(f.nested(Identity), "External accounts with which the caller can sign in, oldest first.")


class Right(f.Contract):
    """Something that gives access to the caller's account."""

    id = f.text("Names it in `keep`.", example="tk_x5q2k7d3m4na")
    kind = f.extensible(
        "`device`: a device that is sent notices. `identity`: an external account.",
        ("token", "identity", "recovery_code", "webhook", "device"),
    )
    name = f.text("Its name; of an identity, the provider; null: it has none.", nullable=True, example="Lin's phone")
    given_by = f.text(
        "Id of what it was given by: the token that made it, or the external account or the code with which somebody "
        "signed in. Null: the registration, or not known.",
        nullable=True,
        example="tk_4wz7q2m5kx3a",
    )
    made_at = f.time("When it was made; null: not known.", nullable=True)
    is_way_in = f.flag("Whether it leads into the account with all rights.")
    current = f.flag("Whether it is the token of this request.")


class Rights(f.Contract):
    """What gives access to an account, oldest first."""

    items = f.array(f.nested(Right), "The rights.")
    next_cursor = next_cursor()


class RecoveryQuestion(f.Contract):
    """An account to recover."""

    code = f.text("The recovery code. Case, spaces and hyphens make no difference.", 1, 80)


class Recoverable(Rights):
    """What a recovery would end, unless it is kept."""

    name = f.text("The name of the player.", example="Lin")


class KeepQuery(f.Contract):
    """What stays."""

    keep = keep_query("What stays of that which it gave: ids of `GET /v1/me/rights`, separated by commas.")


class TokenRequest(f.Contract):
    """A token to create."""

    name = _token_name()
    scopes = f.array(
        f.choice("", *SCOPES, named="Scope"),
        "What it allows: at most what the calling token allows. All scopes together include those of later versions.",
        1,
        len(SCOPES),
        example=["tables:read"],
    )
    expires_in_ms = f.integer(
        "Milliseconds after which it expires, but no later than the calling token. Left out: when that token does.",
        60_000,
        MOST_LIFETIME_MS,
        optional=True,
        example=2_592_000_000,
    )


class MadeToken(TokenInfo):
    """The new token."""

    token = f.text("Bearer token, shown only now.", example="sjt_9hK3…")


class TokenChanges(f.Contract):
    """Changes to a token."""

    name = _token_name()


class LinkCode(f.Contract):
    """A code for one other device."""

    code = f.text("Ten letters and digits, to be typed or shown as a QR code. Works once.", example="K7PQ2M9X4C")
    expires_at = f.time("Until when it works.")
    remaining_ms = f.integer("Milliseconds until then, when this was written.", example=300_000)


class Link(f.Contract):
    """A device to link."""

    code = f.text("The link code. Case, spaces and hyphens make no difference.", 1, 40, example="K7PQ2-M9X4C")
    name = _token_name()


class RecoveryCode(f.Contract):
    """A new recovery code. The previous one is void."""

    code = f.text("26 letters and digits, shown only now.", example="4T7WZ0P9QK3M8N5V2X6B1C7D9F")


class Recovery(f.Contract):
    """An account to recover."""

    code = f.text("The recovery code. Case, spaces and hyphens make no difference.", 1, 80)
    name = _token_name(optional=True)
    keep = f.array(
        f.text("", 1, 60),
        "Ids of what stays, as listed by `POST /v1/recovery-requests`. Everything else that gives access ends.",
        0,
        MOST_KEPT,
        optional=True,
        example=["id_3f2a9c41d07be586"],
    )


class SignedIn(f.Contract):
    """A player and a new token."""

    player = f.nested(Player)
    token = f.text("Bearer token, shown only now.", example="sjt_9hK3…")


class KeptPlayer(f.Contract):
    """The record of a player."""

    id = f.text("Id of the player.", example="pl_x5q2k7d3m4na")
    name = f.text("The name shown to others.", example="Lin")
    kind = f.extensible("A person, or a program.", KINDS)
    locale = f.extensible("Language of texts for requests without `Accept-Language`.", READ)
    created_at = f.time("When the player registered.")
    presence = f.extensible("Who may see that the player is online, and where.", SHOWN_TO)
    invitations = f.extensible("Who may invite the player to a table.", INVITED_BY)
    accepts = f.nested(AcceptedChallenges, "Which challenges the player accepts; null: none.", nullable=True)
    vars().update(chosen.shown_fields())
    muted = f.array(f.text(""), "Ids of the players whom this one has muted.")
    calendar = f.nested(Calendar, "Time zone, quiet hours and holidays.")
    invited_by = f.text(INVITER, nullable=True, example="pl_7mq2x5k3d4na")


class KeptResult(f.Contract):
    """The results of a player in a ruleset, with the rating as it is stored."""

    games = f.integer("Games finished.")
    wins = f.integer("Games won.")
    rounds = f.integer("Rounds in these games.")
    rated_games = f.integer("Games that count for the rating.")
    mu = f.number("Estimated strength.")
    sigma = f.number("Its uncertainty after the last rated game.")
    rated_at = f.time("When the last rated game ended; null: none yet, or not recorded.", nullable=True)


class KeptTable(f.Contract):
    """A table of the player."""

    table = f.text("Its id.", example="tb_7h2kx5q2m4na")
    since = f.time("Since when the player has sat there or hosted it.")


class KeptWebhook(Webhook):
    """A webhook of the player, with its latest deliveries."""

    deliveries = f.array(f.nested(Delivery), "The latest deliveries, newest first.")


class KeptEvent(f.Contract):
    """An event that the player has entered."""

    event = f.text("Its id.", example="ev_20261126_shengji_4")
    entered_at = f.time("When.")
    name = f.text("The name at the time of entry.", example="Lin")
    results = f.array(f.nested(OwnBoardResult), "The results on its boards.")


class KeptComment(f.Contract):
    """What the player has said of a board, or told all entrants of an event."""

    event = f.text("Id of the event of teams.", example="ev_7h2kx5q2m4na")
    board = f.integer("Number of the board; null: a note of a director.", nullable=True, example=1)
    text = f.text("The words.", example="The trumps were four to three.")
    at = f.time("When.")


class KeptBlock(f.Contract):
    """A player whom the caller has blocked."""

    player = f.text("Id of the player.", example="pl_x5q2k7d3m4na")
    since = f.time("Since when.")


class KeptFriend(KeptBlock):
    """A friend, or somebody who might become one."""

    state = f.extensible("`friend`; `asked`: the caller has asked; `asks`: waits for the caller's answer.", TIES)


class AccountExport(f.Contract):
    """All stored data of the caller, without secrets: the service has only hashes of them."""

    exported_at = f.time("When this was written.")
    player = f.nested(KeptPlayer)
    tokens = f.array(f.nested(TokenInfo), "The tokens.")
    has_recovery_code = f.flag("Whether there is a recovery code that has not been used.")
    identities = f.array(f.nested(Identity), "Linked external accounts.")
    guest_last_seen_at = f.time(
        "The day of the player's last activity; null: not recorded since the first finished game.",
        nullable=True,
    )
    results = f.mapping("Ruleset -> results.", f.nested(KeptResult), names=f.extensible(POOL, POOLS), example={})
    ratings = f.mapping(
        "Ruleset -> the ratings after the latest 200 rated games.",
        f.array(f.nested(RatingPoint), ""),
        names=f.extensible(POOL, POOLS),
        example={},
    )
    tables = f.array(f.nested(KeptTable), "Where the player sits.")
    hosted = f.array(f.nested(KeptTable), "Tables that the player hosts.")
    boards = f.array(f.nested(KeptEvent), "Events of equal deals that the player has entered.")
    directed = f.array(f.text(""), "Events of teams that the player directs.", example=["ev_7h2kx5q2m4na"])
    comments = f.array(f.nested(KeptComment), "What the player has said as a commentator or a director of events.")
    rooms = f.array(f.nested(KeptRoom), "Rooms of the player.")
    clubs = f.array(f.nested(KeptClub), "Clubs of the player, and those that the player asks to join.")
    deal_links = f.array(f.nested(KeptDealLink), "Deals that the player has sent or opened, as long as their links.")
    reports = f.array(f.nested(Report), "The reports that the player made.")
    objections = f.array(f.nested(Objection), "Plays of AI players that the player finds silly.")
    blocked = f.array(f.nested(KeptBlock), "Whom the player has blocked.")
    friends = f.array(f.nested(KeptFriend), "Friends, and who might become one.")
    events = f.array(f.nested(AccountEvent), "Stored events of the account, for at most a week.")
    notices = f.nested(NoticeChoice, "The player's choice of notices.")
    devices = f.array(f.nested(Device), "The subscribed devices, without their keys.")
    webhooks = f.array(f.nested(KeptWebhook), "The webhooks, without their secrets.")
    rounds = f.array(f.nested(KeptRound), "The last rounds that the player has finished, as in the list of them.")
    riddles = f.array(f.nested(KeptAnswer), "What the player has answered to riddles of the last month.")
    games = f.array(
        f.text(""),
        "Ids of the last games of these tables and of all past games, for `GET /v1/games/{game}`.",
        example=[],
    )
