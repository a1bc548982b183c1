"""Events of an account (docs/contract.md §9)."""

from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS
from service.api.schemas.events.envelope import EventQuery
from service.api.schemas.players import MyTables
from service.api.schemas.view import Closed
from service.api.streams.cursor import LONGEST, PATTERN

_PLACE = "1795202978550.7h2kx5q2m4na~481"


def _table() -> f.Field:
    return f.text("Id of the table.", example="tb_7h2kx5q2m4na")


def _ruleset() -> f.Field:
    return f.extensible("The game that is played.", RULESET_IDS)


class TurnData(f.Contract):
    """A table waits for the caller: `my_turn` of `GET /v1/me/tables` has become true, or there is a new decision."""

    table = _table()
    ruleset = _ruleset()
    seat = f.integer("The caller's seat.", example=2)
    decision_id = f.text("Id of the decision; null: others want to play another game.", nullable=True, example="dc_481")
    decision = f.text("Its kind.", nullable=True, example="play")
    deadline_at = f.time("Its deadline.", nullable=True)
    remaining_ms = f.integer("Milliseconds until then, from `at` on.", nullable=True, example=21450)


class TurnOverData(f.Contract):
    """The table no longer waits for the caller, or no longer with this decision."""

    table = _table()
    decision_id = f.text("Id of the decision, as in `turn`.", nullable=True, example="dc_481")


class ClosedTableData(f.Contract):
    """The table has been closed."""

    table = _table()
    ruleset = _ruleset()
    reason = Closed().fields["reason"]


class KeptGameData(f.Contract):
    """A game in which the caller has played is over, and its record can be read."""

    table = _table()
    game = f.text("Id of the game.", example="gm_7h2kx5q2m4na_1")


class SignedInData(f.Contract):
    """The account has a new token. Sent to tokens with the scope `account`."""

    token = f.text("Id of the new token.", example="tk_4wz7q2m5kx3a")
    name = f.text("Its name.", nullable=True, example="Lin's tablet")
    how = f.extensible("How it was made.", ("token", "link", "recovery", "app", "identity"))
    is_way_in = f.flag("Whether it has all scopes and never expires.", optional=True)


class AddedAccessData(f.Contract):
    """There is a new way into the account. Sent to tokens with the scope `account`."""

    what = f.extensible("An external account that was linked, or a recovery code.", ("identity", "recovery_code"))
    provider = f.text("The provider of the external account; null: a recovery code.", nullable=True, example="Google")
    token = f.text("Id of the token that added it.", example="tk_4wz7q2m5kx3a")
    name = f.text("The name of that token.", nullable=True, example="Lin's tablet")


class DisabledWebhookData(f.Contract):
    """A webhook of the caller has been switched off. Sent to tokens with the scope `push:write`."""

    webhook = f.text("Id of the webhook.", example="wh_4wz7q2m5kx3a")
    name = f.text("Its name.", example="Club server")
    reason = f.extensible(
        "`gone`: its endpoint answered 410. `failing`: 20 deliveries in a row have failed, over at least a day.",
        ("gone", "failing"),
    )
    disabled_at = f.time("When.")


class FriendData(f.Contract):
    """A player asks to become a friend, or has become one."""

    player = f.text("Id of the player.", example="pl_x5q2k7d3m4na")
    name = f.text("The name of the player.", example="Mei")


class InvitationData(f.Contract):
    """A player invites the caller to a table."""

    invitation = f.text("Id of the invitation.", example="in_5kx3q2m4na7h")
    table = _table()
    ruleset = _ruleset()
    player = f.text("Id of the player who invites.", example="pl_x5q2k7d3m4na")
    name = f.text("The name of that player.", example="Mei")


class InvitedData(InvitationData):
    """A player invites the caller to a table."""

    join_code = f.text("The code to sit down with; null: the table is public.", nullable=True, example="K7PQ2M9X")


class PartyOpenedData(f.Contract):
    """A friend looks for a game together with the caller. Confirm the match that follows, or end the ticket."""

    ticket = f.text("Id of the ticket, the caller's too.", example="ti_5kx3q2m4na7h")
    player = f.text("Id of the friend.", example="pl_x5q2k7d3m4na")
    name = f.text("The name of the friend.", example="Mei")
    ruleset = _ruleset()
    players = f.integer("Number of seats.", example=4)


class MatchedData(f.Contract):
    """Others want the same game. Confirm with `PUT /v1/me/ticket/confirmation`, or the ticket ends."""

    match = f.text("Id of the match.", example="ma_5kx3q2m4na7h")
    ruleset = _ruleset()
    players = f.integer("Number of seats.", example=4)
    people = f.integer("Number of people; AI players take the other seats.", example=3)
    confirm_by = f.time("Until when to confirm.")
    remaining_ms = f.integer("Milliseconds until then, from `at` on.", example=15_000)


class UnmatchedData(f.Contract):
    """A match is over, or a ticket has ended, without a game."""

    over = f.text("Id of the match; of the ticket if that has ended.", example="ma_5kx3q2m4na7h")
    waiting = f.flag("Whether the ticket goes on waiting, ahead of those that came later.")


class SeatedData(f.Contract):
    """A game has begun with the people of a match of quick play, or a board of a match of teams."""

    match = f.text("Id of the match; `1-2` and the like for a match of teams.", example="ma_5kx3q2m4na7h")
    table = _table()
    ruleset = _ruleset()


class ChallengedData(f.Contract):
    """A player challenges the caller. Answer with `PUT /v1/challenges/{challenge}/answer`."""

    challenge = f.text("Id of the challenge.", example="ch_5kx3q2m4na7h")
    player = f.text("Id of the player who challenges.", example="pl_x5q2k7d3m4na")
    name = f.text("The name of that player.", example="Mei")
    ruleset = _ruleset()
    players = f.integer("Number of seats.", example=4)
    preset = f.text("House rules; null: those of the ruleset.", nullable=True, example=None)
    clock = f.extensible("Pace of the game.", ("fast", "normal", "slow"))
    rated = f.flag("Whether the game counts for ratings.")
    answer_by = f.time("Until when to answer.")
    remaining_ms = f.integer("Milliseconds until then, from `at` on.", example=20_000)


class DeclinedChallengeData(f.Contract):
    """A challenge of the caller has been declined."""

    challenge = f.text("Id of the challenge.", example="ch_5kx3q2m4na7h")
    player = f.text("Id of the player who has declined it.", example="pl_7mq2x5k3d4na")
    reason = f.extensible("Why.", ("busy", "later", "game", "opponent", "other"))


class SuspendedData(f.Contract):
    """The account has been suspended; the stream ends."""

    since = f.integer("When, in ms since the epoch.")
    until = f.time("Until when.")
    cause = f.extensible("Why.", ("chat", "display_name", "cheating", "stalling", "other"))
    note = f.text("A note by operators.", nullable=True)


class TeamEnteredData(f.Contract):
    """Somebody has entered the caller for a team. Agree with `PUT …/teams/{team}/confirmation`."""

    team = f.text("Id of the team.", example="tm_5kx3q2m4na7h")
    team_name = f.text("Its name.", example="Dragons")
    event = f.text("Id of the event of teams.", example="ev_7h2kx5q2m4na")
    event_name = f.text("Its name.", example="Spring Cup")
    player = f.text("Id of the player who has entered the team.", example="pl_x5q2k7d3m4na")
    name = f.text("The name of that player.", example="Mei")


#: Type -> schema of its `data`, in the order of the document.
ACCOUNT_EVENT_DATA: f.Parts = {
    "turn": TurnData,
    "turn_over": TurnOverData,
    "game_kept": KeptGameData,
    "table_closed": ClosedTableData,
    "signed_in": SignedInData,
    "access_added": AddedAccessData,
    "webhook_disabled": DisabledWebhookData,
    "friend_asked": FriendData,
    "friend_made": FriendData,
    "invited": InvitedData,
    "party_opened": PartyOpenedData,
    "matched": MatchedData,
    "challenged": ChallengedData,
    "challenge_declined": DeclinedChallengeData,
    "suspended": SuspendedData,
    "unmatched": UnmatchedData,
    "seated": SeatedData,
    "team_entered": TeamEnteredData,
}


class AccountEvent(f.Contract):
    """Something that concerns the caller. It names what to read, and never contains cards."""

    seq = f.integer("Its number, which grows; null: it is derived from a table and not stored.", nullable=True)
    type = f.extensible("What happened. Ignore types that you do not know.", ACCOUNT_EVENT_DATA, example="turn")
    at = f.time("When it happened; if derived from a table, when it was sent.")
    data = f.mapping("The details.", example={"table": "tb_7h2kx5q2m4na", "decision_id": "dc_481"})


ACCOUNT_EVENTS = f.Variants(AccountEvent, "type", "data", ACCOUNT_EVENT_DATA, "AccountEvent")


class AccountEventPage(f.Contract):
    """Events of the account, or the answer of a long poll."""

    snapshot = f.nested(
        MyTables, "The caller's tables, before the events; null: the request named a position.", nullable=True
    )
    reset = f.flag("Whether events after the position in the request are gone; then there is a `snapshot`.")
    events = f.array(f.nested(AccountEvent), "In order; empty if there are none.")
    next_after = f.text("Send it as `after` to get the next events.", example=_PLACE)
    server_time = f.time("Now, on the clock of all deadlines.")


class AccountEventQuery(EventQuery):
    """Which events of the account to read."""

    after = f.place(
        "Only events after this position: an `id` or a `next_after`; `0`: all that are kept.",
        PATTERN,
        LONGEST,
        optional=True,
    )


class AccountReset(f.Contract):
    """The `data` of `reset`, a message that events after the position in the request are gone."""

    after = f.text("The position from which the stream goes on; a `snapshot` follows.", example=_PLACE)


class AccountHeartbeat(f.Contract):
    """The `data` of `heartbeat`, a message that shows that the connection is alive."""

    server_time = f.time("Now, on the clock of all deadlines.")
    after = f.text("The position after the last event that was sent.", example=_PLACE)


class AccountEnd(f.Contract):
    """The `data` of `end`, the last message of a stream that ends on purpose. Close the `EventSource`."""

    reason = f.extensible(
        "`newer-stream`: the same token has opened another stream of the account. Otherwise the code of the problem "
        "that a new request would get.",
        ("newer-stream", "suspended", "too-many-streams", "unauthorized", "address-blocked"),
    )
    after = f.text("The position after the last event that was sent.", example=_PLACE)
