"""All types of events of an account, in the order of the API's document."""

from typing import Final

from service.account_events.rows import Level, Notice, Row
from service.game.events import fields as f
from service.game.events.fields import Field
from service.rules.options.rulesets import RULESETS
from service.texts import text


def _table() -> Field:
    return f.text("Id of the table.", example="tb_7h2kx5q2m4na")


def _ruleset() -> Field:
    return f.extensible("The game that is played.", tuple(RULESETS))


def _other_player(about: str) -> dict[str, Field]:
    """Return the fields for another player: who `about` says."""
    return {
        "player": f.text(f"Id of {about}.", example="pl_x5q2k7d3m4na"),
        "name": f.text("The name of that player.", example="Mei"),
    }


def _request(when: str) -> Field:
    return f.text(
        f"Identifies the request: ids of the club and of who asks, and {when}.",
        example="cb_5kx3q2m4na7h:pl_x5q2k7d3m4na:20777",
    )


def _club() -> dict[str, Field]:
    return {
        "club": f.text("Id of the club.", example="cb_5kx3q2m4na7h"),
        "club_name": f.text("Its name.", example="Lakeside"),
    }


def _players() -> Field:
    return f.integer("Number of seats.", example=4)


def _remaining_ms(example: int, *, nullable: bool = False) -> Field:
    return f.integer("Milliseconds until then, from `at` on.", nullable=nullable, example=example)


_FRIEND: Final = {
    "player": f.text("Id of the player.", example="pl_x5q2k7d3m4na"),
    "name": f.text("The name of the player.", example="Mei"),
}
_APPOINTMENT: Final = {
    "event": f.text("Id of the event of teams.", example="ev_7h2kx5q2m4na"),
    "event_name": f.text("Its name.", example="Spring Cup"),
    "match": f.text("The match: numbers of the round and the pair.", example="1-2"),
    "team": f.text("The team whose player has named the time.", example="tm_5kx3q2m4na7h"),
    "team_name": f.text("Its name.", example="Dragons"),
    "meets_at": f.time("The time."),
    "time": f.text("Identifies the proposal.", example="ev_7h2kx5q2m4na:1-2:time_proposed:1"),
}
_FRIEND_ABOUT: Final = "A player asks to become a friend, or has become one."

#: Type -> row. Those without a `Note` in the inbox are derived from tables (`service.api.streams.my_tables`).
ROWS: Final[dict[str, Row]] = {
    "turn": Row(
        "A table waits for the caller: `my_turn` of `GET /v1/me/tables` has become true, or there is a new decision.",
        "tables:read",
        {
            "table": _table(),
            "ruleset": _ruleset(),
            "seat": f.integer("The caller's seat.", example=2),
            "decision_id": f.text(
                "Id of the decision; null: others want to play another game.", nullable=True, example="dc_481"
            ),
            "decision": f.text("Its kind.", nullable=True, example="play"),
            "deadline_at": f.time("Its deadline.", nullable=True),
            "remaining_ms": _remaining_ms(21450, nullable=True),
        },
        notice=Notice(
            text("It is your turn", "轮到您了"),
            text("{game}: the table waits for you.", "{game}：牌桌在等您。"),
            "turns",
            "A table waits for the player, who is not looking. `remaining_ms` counts from `timestamp`.",
        ),
    ),
    "turn_over": Row(
        "The table no longer waits for the caller, or no longer with this decision.",
        "tables:read",
        {
            "table": _table(),
            "decision_id": f.text("Id of the decision, as in `turn`.", nullable=True, example="dc_481"),
        },
    ),
    "game_kept": Row(
        "A game in which the caller has played is over, and its record can be read.",
        "tables:read",
        {"table": _table(), "game": f.text("Id of the game.", example="gm_7h2kx5q2m4na_1")},
        schema="KeptGameData",
        notice=Notice(
            text("The game is over", "牌局结束"),
            text("The result and the record can be read now.", "可以查看结果和记录了。"),
            "all",
            "A game that the player has played is over, and its record can be read.",
            schema="KeptGameNotice",
            # The host of the finished game is no longer known.
            of_hosted=True,
        ),
    ),
    "table_closed": Row(
        "The table has been closed.",
        "tables:read",
        {
            "table": _table(),
            "ruleset": _ruleset(),
            "reason": f.extensible("By whom: its host, or an operator of the service.", f.CLOSED_BY),
        },
        schema="ClosedTableData",
    ),
    "voice": Row(
        "A page of somebody at the caller's table, where people may talk, sends a message to connect by WebRTC. It is "
        "sent once, and stored nowhere.",
        "chat:write",
        {
            "table": _table(),
            "player": f.text("Id of the player who sends it.", example="pl_x5q2k7d3m4na"),
            "session": f.text("The page that sends it.", example="k3v9x2q7m5d1"),
            "kind": f.extensible(
                "`hello` begins to talk, `offer` and `answer` are the halves of a connection, `bye` ends it.",
                ("hello", "offer", "answer", "bye"),
            ),
            "to_session": f.text("The page that it is for; null: all.", nullable=True, example="m4na7h2kx5q2"),
            "sdp": f.text("The half of the connection (SDP); null: none.", nullable=True, example=None),
        },
        has_words=True,
        schema="VoiceSignalData",
    ),
    "signed_in": Row(
        "The account has a new token. Sent to tokens with the scope `account`.",
        "account",
        {
            "token": f.text("Id of the new token.", example="tk_4wz7q2m5kx3a"),
            "name": f.text("Its name.", nullable=True, example="Lin's tablet"),
            "how": f.extensible("How it was made.", ("token", "link", "recovery", "app", "identity")),
            "is_way_in": f.flag("Whether it has all scopes and never expires.", optional=True),
        },
        has_words=True,
        notice=Notice(
            text("Another device is signed in", "有另一台设备登录"),
            text("If it was not you, sign it out.", "如果不是您本人，请将其退出登录。"),
            "alarm",
        ),
    ),
    "access_added": Row(
        "There is a new way into the account. Sent to tokens with the scope `account`.",
        "account",
        {
            "what": f.extensible(
                "An external account that was linked, or a recovery code.", ("identity", "recovery_code")
            ),
            "provider": f.text(
                "The provider of the external account; null: a recovery code.", nullable=True, example="Google"
            ),
            "token": f.text("Id of the token that added it.", example="tk_4wz7q2m5kx3a"),
            "name": f.text("The name of that token.", nullable=True, example="Lin's tablet"),
        },
        has_words=True,
        schema="AddedAccessData",
        notice=Notice(
            text("There is a new way into your account", "您的账号新增了登录方式"),
            text("If it was not you, look at your devices.", "如果不是您本人，请查看您的设备。"),
            "alarm",
        ),
    ),
    "webhook_disabled": Row(
        "A webhook of the caller has been switched off. Sent to tokens with the scope `push:write`.",
        "push:write",
        {
            "webhook": f.text("Id of the webhook.", example="wh_4wz7q2m5kx3a"),
            "name": f.text("Its name.", example="Club server"),
            "reason": f.extensible(
                "`gone`: its endpoint answered 410. `failing`: 20 deliveries in a row have failed, over at least a "
                "day.",
                ("gone", "failing"),
            ),
            "disabled_at": f.time("When."),
        },
        has_words=True,
        schema="DisabledWebhookData",
    ),
    "friend_asked": Row(_FRIEND_ABOUT, "social:read", _FRIEND, has_words=True, schema="FriendData"),
    "friend_made": Row(_FRIEND_ABOUT, "social:read", _FRIEND, has_words=True, schema="FriendData"),
    "invited": Row(
        "A player invites the caller to a table.",
        "tables:read",
        {
            "invitation": f.text("Id of the invitation.", example="in_5kx3q2m4na7h"),
            "table": _table(),
            "ruleset": _ruleset(),
            **_other_player("the player who invites"),
            "join_code": f.text(
                "The code to sit down with; null: the table is public.", nullable=True, example="K7PQ2M9X"
            ),
        },
        has_words=True,
        notice=Notice(
            text("You are invited", "您收到邀请"),
            text("{game}: a seat at a table is free for you.", "{game}：有空位等您入座。"),
            "all",
            "A player invites the player to a table. `GET /v1/me/invitations` has the code of a private one.",
            schema="InvitationNotice",
            # Any reader could sit down with it.
            without=("join_code",),
            data_schema="InvitationData",
            opens="start",
        ),
    ),
    "room_opened": Row(
        "Somebody has opened the table of a room where the caller plays. Those of the room sit down without a code.",
        "tables:read",
        {
            "room": f.text("Id of the room.", example="rm_5kx3q2m4na7h"),
            "room_name": f.text("Its name.", example="Friday"),
            "table": _table(),
            "ruleset": _ruleset(),
            **_other_player("the player who has opened it"),
        },
        has_words=True,
        schema="OpenedRoomData",
        notice=Notice(
            text("Your room has a table", "您的房间开桌了"),
            text("{game}: a seat is free for you.", "{game}：有空位等您入座。"),
            "all",
            "Somebody has opened the table of a room where the player plays.",
            schema="OpenedRoomNotice",
        ),
    ),
    "club_asked": Row(
        "A player asks to join a club of which the caller is an owner or director.",
        "tables:read",
        {**_club(), **_other_player("the player who asks"), "request": _request("the day")},
        has_words=True,
        schema="ClubRequestData",
        notice=Notice(
            text("Somebody asks to join your club", "有人申请加入您的俱乐部"),
            text("You can accept or decline.", "您可以同意或拒绝。"),
            "all",
            "A player asks to join a club of which the player is an owner or director.",
            schema="ClubRequestNotice",
            opens="start",
        ),
    ),
    "club_joined": Row(
        "An owner or director of a club has accepted the caller's request to join.",
        "tables:read",
        {**_club(), **_other_player("the player who has accepted"), "request": _request("the time (ms)")},
        has_words=True,
        schema="JoinedClubData",
        notice=Notice(
            text("You belong to the club", "您已加入俱乐部"),
            text("Your request to join has been accepted.", "您的加入申请已通过。"),
            "all",
            "A request of the player to join a club has been accepted.",
            schema="JoinedClubNotice",
            opens="start",
        ),
    ),
    "club_event": Row(
        "A director of a club of the caller has made an event of teams for its members.",
        "tables:read",
        {
            **_club(),
            "event": f.text("Id of the event of teams.", example="ev_7h2kx5q2m4na"),
            "event_name": f.text("Its name.", example="Spring Cup"),
            "ruleset": _ruleset(),
        },
        has_words=True,
        schema="ClubEventData",
        notice=Notice(
            text("Your club holds an event", "您的俱乐部有新比赛"),
            text("{game}: you can enter now.", "{game}：现在可以报名。"),
            "all",
            "A club of the player holds an event of teams for its members.",
            schema="ClubEventNotice",
            opens="start",
        ),
    ),
    "party_opened": Row(
        "A friend looks for a game together with the caller. Confirm the match that follows, or end the ticket.",
        "tables:read",
        {
            "ticket": f.text("Id of the ticket, the caller's too.", example="ti_5kx3q2m4na7h"),
            "player": f.text("Id of the friend.", example="pl_x5q2k7d3m4na"),
            "name": f.text("The name of the friend.", example="Mei"),
            "ruleset": _ruleset(),
            "players": _players(),
        },
        has_words=True,
    ),
    "matched": Row(
        "Others want the same game. Confirm with `PUT /v1/me/ticket/confirmation`, or the ticket ends.",
        "tables:read",
        {
            "match": f.text("Id of the match.", example="ma_5kx3q2m4na7h"),
            "ruleset": _ruleset(),
            "players": _players(),
            "people": f.integer("Number of people; AI players take the other seats.", example=3),
            "confirm_by": f.time("Until when to confirm."),
            "remaining_ms": _remaining_ms(15_000),
        },
        notice=Notice(
            text("A game is ready", "可以开局了"),
            text("{game}: confirm now, others wait.", "{game}：请马上确认，其他人在等。"),
            "turns",
            "Others want the same game, and the match is to be confirmed. `remaining_ms` counts from `timestamp`.",
            schema="MatchNotice",
            opens="start",
        ),
    ),
    "challenged": Row(
        "A player challenges the caller. Answer with `PUT /v1/challenges/{challenge}/answer`.",
        "tables:read",
        {
            "challenge": f.text("Id of the challenge.", example="ch_5kx3q2m4na7h"),
            **_other_player("the player who challenges"),
            "ruleset": _ruleset(),
            "players": _players(),
            "preset": f.text("House rules; null: those of the ruleset.", nullable=True, example=None),
            "clock": f.extensible("Pace of the game.", ("fast", "normal", "slow")),
            "rated": f.flag("Whether the game counts for ratings."),
            "answer_by": f.time("Until when to answer."),
            "remaining_ms": _remaining_ms(20_000),
        },
        has_words=True,
    ),
    "challenge_declined": Row(
        "A challenge of the caller has been declined.",
        "tables:read",
        {
            "challenge": f.text("Id of the challenge.", example="ch_5kx3q2m4na7h"),
            "player": f.text("Id of the player who has declined it.", example="pl_7mq2x5k3d4na"),
            "reason": f.extensible("Why.", ("busy", "later", "game", "opponent", "other")),
        },
        schema="DeclinedChallengeData",
    ),
    "suspended": Row(
        "The account has been suspended; the stream ends.",
        "tables:read",
        {
            "since": f.integer("When, in ms since the epoch."),
            "until": f.time("Until when."),
            "cause": f.extensible("Why.", ("chat", "display_name", "cheating", "stalling", "other")),
            "note": f.text("A note by operators.", nullable=True),
        },
        has_words=True,
    ),
    "unmatched": Row(
        "A match is over, or a ticket has ended, without a game.",
        "tables:read",
        {
            "over": f.text("Id of the match; of the ticket if that has ended.", example="ma_5kx3q2m4na7h"),
            "waiting": f.flag("Whether the ticket goes on waiting, ahead of those that came later."),
        },
    ),
    "seated": Row(
        "A game has begun with the people of a match of quick play, or a board of a match of teams.",
        "tables:read",
        {
            "match": f.text("Id of the match; `1-2` and the like for a match of teams.", example="ma_5kx3q2m4na7h"),
            "table": _table(),
            "ruleset": _ruleset(),
        },
    ),
    "round_begins": Row(
        "A round of an event of teams begins, and the caller has a table. Sent once a round, with its first board.",
        "tables:read",
        {
            "event_round": f.text("Identifies the round: id of the event, and number.", example="ev_7h2kx5q2m4na_2"),
            "event": f.text("Id of the event of teams.", example="ev_7h2kx5q2m4na"),
            "event_name": f.text("Its name.", example="Spring Cup"),
            "round": f.integer("Number of the round.", example=2),
            "match": f.text("Id of the match.", example="2-4"),
            "place": f.text("The table as people call it: `4`, or `4A` and `4B` of a match of teams.", example="4A"),
            "table": _table(),
            "ruleset": _ruleset(),
        },
        has_words=True,
        schema="BegunRoundData",
        notice=Notice(
            text("Your round begins", "您的一轮比赛开始了"),
            text("{game}: you have a table.", "{game}：请入座。"),
            "turns",
            "A round of an event of teams begins, and the player has a table.",
            schema="BegunRoundNotice",
        ),
    ),
    "your_table": Row(
        "A table of an arena has begun, and the caller sits there. Sent for each table, with its first board.",
        "tables:read",
        {
            "event_match": f.text(
                "Identifies the table: id of the event, and of the match.", example="ev_7h2kx5q2m4na_1-17"
            ),
            "event": f.text("Id of the event of teams.", example="ev_7h2kx5q2m4na"),
            "event_name": f.text("Its name.", example="Friday Arena"),
            "match": f.text("Id of the match.", example="1-17"),
            "place": f.text("The table as people call it.", example="17"),
            "table": _table(),
            "ruleset": _ruleset(),
        },
        has_words=True,
        schema="ArenaTableData",
        notice=Notice(
            text("Your next table", "您的下一桌"),
            text("{game}: your table has begun.", "{game}：已为您开桌，请入座。"),
            "turns",
            "A table of an arena has begun, and the player sits there.",
            schema="ArenaTableNotice",
        ),
    ),
    "team_entered": Row(
        "Somebody has entered the caller for a team. Agree with `PUT …/teams/{team}/confirmation`.",
        "tables:read",
        {
            "team": f.text("Id of the team.", example="tm_5kx3q2m4na7h"),
            "team_name": f.text("Its name.", example="Dragons"),
            "event": f.text("Id of the event of teams.", example="ev_7h2kx5q2m4na"),
            "event_name": f.text("Its name.", example="Spring Cup"),
            **_other_player("the player who has entered the team"),
        },
        has_words=True,
    ),
    "director_named": Row(
        "Somebody has made the caller a director of an event of teams. Give the office up with `DELETE "
        "/v1/team-events/{event}/directors/{player}`. Sent once an event.",
        "tables:read",
        {
            "event": f.text("Id of the event of teams.", example="ev_7h2kx5q2m4na"),
            "event_name": f.text("Its name.", example="Spring Cup"),
            **_other_player("the director who has named the caller"),
        },
        has_words=True,
        notice=Notice(
            text("You direct an event", "您担任比赛裁判"),
            text("Somebody has named you a director of an event.", "有人请您担任一场比赛的裁判。"),
            "all",
            "Somebody has made the player a director of an event of teams.",
            opens="start",
        ),
    ),
    "event_note": Row(
        "A director has told all entrants of an event of teams something: read `notes` of the event.",
        "tables:read",
        {
            "event": f.text("Id of the event of teams.", example="ev_7h2kx5q2m4na"),
            "event_name": f.text("Its name.", example="Spring Cup"),
            "note": f.text("Id of the note.", example="no_5kx3q2m4na7h"),
            **_other_player("the director"),
        },
        has_words=True,
        notice=Notice(
            text("A note from your event", "比赛通知"),
            text("A director tells all entrants something.", "裁判向全体参赛者发了通知。"),
            "all",
            "A director has told all entrants of an event of teams something.",
            opens="start",
        ),
    ),
    "time_proposed": Row(
        "Somebody proposes a time for the caller's match in a league. Agree with `PUT …/matches/{match}/time`, or "
        "propose another one.",
        "tables:read",
        _APPOINTMENT,
        has_words=True,
        schema="ProposedTimeData",
        notice=Notice(
            text("A time for your match", "您的比赛有人约时间"),
            text("Look whether you can play then.", "看看您届时能否参赛。"),
            "all",
            "Somebody proposes a time for a match of the player in a league.",
            schema="ProposedTimeNotice",
            opens="start",
        ),
    ),
    "time_agreed": Row(
        "All have agreed on a time for the caller's match in a league. Its tables open then.",
        "tables:read",
        _APPOINTMENT,
        has_words=True,
        schema="AgreedTimeData",
        notice=Notice(
            text("Your match has a time", "您的比赛时间已定"),
            text("Its tables open then.", "届时自动开桌。"),
            "all",
            "All have agreed on a time for a match of the player in a league.",
            schema="AgreedTimeNotice",
            opens="start",
        ),
    ),
}


#: Type -> its notice, if it has one.
NOTICES: Final = {kind: row.notice for kind, row in ROWS.items() if row.notice is not None}


def notices_of(*levels: Level) -> dict[str, Notice]:
    """Return the notices of some levels, by the types of their events."""
    return {kind: notice for kind, notice in NOTICES.items() if notice.level in levels}
