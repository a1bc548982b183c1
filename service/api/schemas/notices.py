"""Notices: what players choose, and webhooks."""

from typing import Final

from service.account_events.catalogue import ROWS, notices_of
from service.account_events.rows import Notice
from service.api.schemas import fields as f
from service.api.schemas.account_events import ACCOUNT_EVENT_DATA, name_of, schema
from service.api.schemas.common import next_cursor
from service.notices.choices import EVENTS, LEVELS
from service.notices.devices import DEVICE_KINDS, PLATFORMS
from service.notices.notices import MOST_TABLES
from service.notices.webhooks import FORMATS

#: Longest delay of a notice of a turn (ms).
MOST_AFTER_MS = 24 * 3_600_000
_LEVEL = tuple(LEVELS)
MINUTE = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"


def _after(about: str, **attributes: object) -> f.Field:
    return f.integer(about, 0, MOST_AFTER_MS, example=20_000, **attributes)  # type: ignore[arg-type]


class QuietHours(f.Contract):
    """Hours in which nothing is sent to the caller's devices. What still waits at their end is sent then."""

    start = f.text("When they begin.", example="22:30")
    end = f.text("When they end; on the next day if that is earlier.", example="07:00")
    time_zone = f.text("Name of a time zone (IANA).", example="Europe/Berlin")


class WantedQuietHours(f.Contract):
    """Hours in which the caller's devices are to be sent nothing; none if they end when they begin."""

    start = f.text("When they begin.", pattern=MINUTE, example="22:30")
    end = f.text("When they end; on the next day if that is earlier.", pattern=MINUTE, example="07:00")
    time_zone = f.text("Name of a time zone (IANA).", 1, 60, example="Europe/Berlin")


class NoticeChoice(f.Contract):
    """What the caller's own devices are told; webhooks say so for themselves."""

    notify = f.extensible(
        "`turns`: that a table waits for the caller, who does not look, or a match to be confirmed. `all`: also that a "
        "game is over, and invitations.",
        _LEVEL,
    )
    after_ms = f.integer("How long after a decision was opened, if nobody has looked by then.", example=20_000)
    quiet_hours = f.nested(QuietHours, "Hours without notices; null: none.", nullable=True)
    tables = f.mapping(
        "Table -> what is told of it instead.", f.extensible("", _LEVEL), example={"tb_7h2kx5q2m4na": "nothing"}
    )


class NoticeChanges(f.Contract):
    """Changes of what the caller's own devices are told."""

    notify = f.choice("What they are told.", *_LEVEL, named="NoticeLevel", optional=True)
    after_ms = _after("How long after a decision was opened.", optional=True)
    quiet_hours = f.nested(WantedQuietHours, "Hours without notices.", optional=True)
    tables = f.mapping(
        "Table where the caller sits -> what is told of it instead; `default`: as of the others. Tables that are not "
        "named stay as they are.",
        f.choice("", *_LEVEL, "default"),
        high=200,
        names=f.text("", 1, 60),
        optional=True,
        example={"tb_7h2kx5q2m4na": "nothing"},
    )


class PushKey(f.Contract):
    """The key for `PushManager.subscribe`."""

    key = f.text(
        "`applicationServerKey`, base64url; null: this service has no Web Push.",
        nullable=True,
        example="BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJuBkr3qBUYIHBQFLXYp5Nksh8U",
    )
    relay = f.flag("Whether the service has a relay to the push services of phones.")


class DeviceRequest(f.Contract):
    """A device to subscribe: `webpush` with `endpoint`, `p256dh`, `auth`; `relay` with `platform`, `device_token`."""

    carrier = f.choice("How it is reached.", *DEVICE_KINDS, named="NoticeCarrier")
    endpoint = f.text("`endpoint` of the browser's `PushSubscription`.", 1, 1000, optional=True)
    p256dh = f.text("Its key `p256dh`, base64url.", 1, 200, optional=True)
    auth = f.text("Its key `auth`, base64url.", 1, 100, optional=True)
    platform = f.choice("The push service of the phone.", *PLATFORMS, named="PhonePlatform", optional=True)
    device_token = f.text("What it calls the app on this phone.", 1, 500, optional=True)


class Device(f.Contract):
    """A subscribed device. Its keys are not shown."""

    id = f.text("Its id, chosen by the device.", example="browser-1")
    carrier = f.extensible("How it is reached.", DEVICE_KINDS)
    created_at = f.time("When it subscribed last.")
    current = f.flag("Whether it subscribed with the token of this request.")


class Devices(f.Contract):
    """The caller's subscribed devices."""

    items = f.array(f.nested(Device), "The devices.")
    next_cursor = next_cursor()


def _events(**attributes: object) -> f.Field:
    event = f.choice("", *EVENTS, named="NoticeEvent")
    return f.array(event, "What it is told.", 1, len(EVENTS), **attributes)  # type: ignore[arg-type]


class WebhookRequest(f.Contract):
    """A webhook to create."""

    url = f.text(
        "Where to send: https, a public host name, port 443 or 8443, no credentials.",
        1,
        1000,
        example="https://bot.example.net/shengji",
    )
    name = f.name("For the player's list of webhooks.", 40, example="Club server")
    events = _events(example=["turn"])
    format = f.choice(
        "`standard`: JSON, signed. `discord` and `slack`: a line of text for a chat, only for their own hosts.",
        *FORMATS,
        named="WebhookFormat",
        default="standard",
    )
    tables = f.choice(
        "Of which tables: `all` where the caller sits, those of them that the caller `hosted`, or `some`.",
        "all",
        "hosted",
        "some",
        named="WebhookTables",
        default="all",
    )
    table_ids = f.array(f.text("", 1, 60), "With `some`: which.", 0, MOST_TABLES, default=[], example=[])
    after_ms = _after(
        "How long after a decision was opened, if it still waits and the player does not look.", default=0
    )


class WebhookChanges(f.Contract):
    """Changes of a webhook. Another URL or format is verified again."""

    url = f.text("Where to send.", 1, 1000, optional=True)
    name = f.name("Its name.", 40, optional=True)
    events = _events(optional=True)
    format = f.choice("What is sent.", *FORMATS, named="WebhookFormat", optional=True)
    tables = f.choice("Of which tables.", "all", "hosted", "some", named="WebhookTables", optional=True)
    table_ids = f.array(f.text("", 1, 60), "With `some`: which.", 0, MOST_TABLES, optional=True)
    after_ms = _after("How long after a decision was opened.", optional=True)
    active = f.flag("false: it is sent nothing. true: on again, once its endpoint has answered.", optional=True)


class Webhook(f.Contract):
    """A webhook. Its secret is shown only when it is created or replaced."""

    id = f.text("Its id.", example="wh_4wz7q2m5kx3a")
    url = f.text("Where it leads.", example="https://bot.example.net/shengji")
    name = f.text("Its name.", example="Club server")
    events = f.array(f.extensible("", EVENTS), "What it is told.", example=["turn"])
    format = f.extensible("What is sent.", FORMATS)
    tables = f.extensible("Of which tables.", ("all", "hosted", "some"))
    table_ids = f.array(f.text(""), "With `some`: which.", example=[])
    after_ms = f.integer("How long after a decision was opened.", example=0)
    state = f.extensible(
        "`pending`: its endpoint has not answered the challenge. `disabled`: switched off, by the caller or because it "
        "only failed.",
        ("pending", "active", "disabled"),
    )
    created_at = f.time("When it was made.")
    failures = f.integer("Deliveries that failed since the last one that did not.", example=0)
    failing_since = f.time("When the first of these was; null: there are none.", nullable=True)


class Webhooks(f.Contract):
    """The caller's webhooks, oldest first."""

    items = f.array(f.nested(Webhook), "The webhooks.")
    next_cursor = next_cursor()


class MadeWebhook(Webhook):
    """A webhook with its secret."""

    secret = f.text(
        "Signs what is sent (standardwebhooks.com), shown only now.",
        example="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    )


class Delivery(f.Contract):
    """A delivery of a webhook, sent or waiting."""

    id = f.text("Its id, sent as `webhook-id`: the same for all attempts.", example="msg_1b2c3d4e5f60718293a4b5c6")
    type = f.extensible("What it tells.", (*EVENTS, "webhook.verify", "webhook.test"))
    at = f.time("When it was due.")
    outcome = f.extensible("Its state.", ("pending", "delivered", "failed"))
    attempts = f.integer("How often it was sent.", example=1)
    tried_at = f.time("When it was last sent; null: not yet.", nullable=True)
    status = f.integer("The status of the answer; null: there was none.", nullable=True, example=200)
    took_ms = f.integer("How long the answer took.", nullable=True, example=43)
    error = f.extensible(
        "What went wrong; null: nothing.",
        ("status", "timeout", "connection", "tls", "name", "answer", "challenge", "proxy", "webhook_own_network"),
        nullable=True,
    )


class Deliveries(f.Contract):
    """The last 50 deliveries of a webhook, newest first."""

    items = f.array(f.nested(Delivery), "The deliveries.")
    next_cursor = next_cursor()


class Challenge(f.Contract):
    """What an endpoint has to send back."""

    challenge = f.text('Answer with status 200 and `{"challenge": …}`.', example="b7Yx0pJ3vQ")


class TestedWebhook(f.Contract):
    """Which webhook is tried."""

    webhook = f.text("Its id.", example="wh_4wz7q2m5kx3a")
    name = f.text("Its name.", example="Club server")


def _sent(name: str, about: str, kind: str, data: type[f.Contract]) -> type[f.Contract]:
    """Return the schema of what webhooks are sent."""
    fields = {
        "type": f.text("What it tells.", example=kind),
        "timestamp": f.time("When it was due; the same in all attempts."),
        "data": f.nested(data),
    }
    sent = f.Contract.from_dict(fields, name=name)
    sent.__doc__ = about
    return sent  # type: ignore[return-value]


def _of_event(kind: str, notice: Notice) -> type[f.Contract]:
    """Return the schema of the notice of a type of event of the account."""
    data = ACCOUNT_EVENT_DATA[kind]
    if notice.without:
        row = ROWS[kind]
        fields = {name: field for name, field in row.fields.items() if name not in notice.without}
        data = schema(notice.data_schema, row.about, fields)
    return _sent(notice.schema or f"{name_of(kind)}Notice", notice.about, kind, data)


#: Type -> what is sent to webhooks of the format `standard`.
NOTICES: Final[dict[str, type[f.Contract]]] = {
    "webhook.verify": _sent(
        "VerifyNotice",
        "Asks whether an endpoint wants notices, since anybody may make a webhook with any URL.",
        "webhook.verify",
        Challenge,
    ),
    "webhook.test": _sent(
        "TestNotice",
        "Only tries the endpoint; `POST /v1/me/webhooks/{webhook}/test` asks for it.",
        "webhook.test",
        TestedWebhook,
    ),
    **{kind: _of_event(kind, notice) for kind, notice in notices_of("turns", "all").items()},
}
