"""Webhooks: requests to endpoints of players, signed by Standard Webhooks (standardwebhooks.com).

`sending.py` sends them, and `retries.py` says when failed ones are sent again.
"""

import base64
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from standardwebhooks import Webhook

from service.account_events.catalogue import NOTICES
from service.common.fastjson import dumps, loads
from service.game.views.fields import timestamp
from service.store.notices.outbox import Delivery
from service.store.notices.subscriptions import Subscription
from service.texts import sentence
from service.texts.words import TEST_LINE, TEST_TITLE, TURNS_LINE, TURNS_TITLE

#: The type of verification requests.
VERIFY: Final = "webhook.verify"
#: The type of notices that a developer asks for.
TEST: Final = "webhook.test"
#: Format -> hosts of its endpoints; empty: any.
FORMATS: Final[dict[str, tuple[str, ...]]] = {
    "standard": (),
    "discord": ("discord.com", "discordapp.com"),
    "slack": ("hooks.slack.com",),
}
#: Format -> the member of the body that holds the text.
_TEXT_IN: Final = {"discord": "content", "slack": "text"}
#: Length of a secret in bytes; the specification allows 24 to 64.
_SECRET_BYTES: Final = 32
#: Most bytes of a body.
MOST_BYTES: Final = 1_024


class Request(NamedTuple):
    """A request of a carrier.

    Attributes:
        read: whether the response body matters.
        trusted: whether the operator has configured the server, so that it may be anywhere.
    """

    url: str
    headers: Mapping[str, str]
    body: bytes
    read: bool = False
    trusted: bool = False


class Words(NamedTuple):
    """Values for texts: language of the player, name of the game, and URL of the service ("": unknown)."""

    language: str
    game: str
    public_url: str


def new_secret(random_bytes: Callable[[int], bytes]) -> str:
    """Return a new secret."""
    return f"whsec_{base64.b64encode(random_bytes(_SECRET_BYTES)).decode('ascii')}"


def is_format_of(form: str, url: str) -> bool:
    """Return whether endpoints at this URL accept a format."""
    return not FORMATS[form] or (urlsplit(url).hostname or "") in FORMATS[form]


def request(
    delivery: Delivery, subscription: Subscription, words: Callable[[], Words], now_ms: int, wall_s: float
) -> Request:
    """Return the request of a delivery to an endpoint.

    Args:
        delivery, subscription: the delivery and its subscription.
        words: returns the values for texts.
        now_ms: time of the service (ms), for the expiry of secrets.
        wall_s: time of the signature (s), which receivers compare with their clocks.
    """
    target = subscription["target"]
    if (form := target["format"]) in _TEXT_IN:
        return Request(target["url"], _JSON, dumps({_TEXT_IN[form]: chat_text(delivery, words())}))
    body = dumps(payload(delivery))
    secrets = [each["secret"] for each in target["secrets"] if each["until"] is None or each["until"] > now_ms]
    headers = {**_JSON, **signed(delivery["id"], secrets, body, wall_s)}
    return Request(target["url"], headers, body, read=delivery["type"] == VERIFY)


_JSON: Final = {"Content-Type": "application/json", "User-Agent": "shengji-notices/1"}


def signed(message: str, secrets: list[str], body: bytes, wall_s: float) -> dict[str, str]:
    """Return the headers that sign a body with all given secrets."""
    at = datetime.fromtimestamp(int(wall_s), UTC)
    signatures = [Webhook(secret).sign(message, at, body.decode()) for secret in secrets]
    return {
        "webhook-id": message,
        "webhook-timestamp": str(int(wall_s)),
        "webhook-signature": " ".join(signatures),
    }


def payload(delivery: Delivery) -> dict[str, object]:
    """Return the payload, which is the same for all attempts."""
    return {"type": delivery["type"], "timestamp": timestamp(delivery["at"]), "data": data_of(delivery)}


def data_of(delivery: Delivery) -> dict[str, object]:
    """Return the data of a delivery with times as shown."""
    data = dict(delivery["data"])
    if "deadline" in data:
        deadline = data.pop("deadline")
        data["deadline_at"] = timestamp(deadline)
        data["remaining_ms"] = None if deadline is None else max(0, deadline - delivery["at"])
    return data


def texts_of(delivery: Delivery, words: Words) -> tuple[str, str]:
    """Return title and text of a notice."""
    kind, language = delivery["type"], words.language
    title, line = (TEST_TITLE, TEST_LINE) if kind == TEST else (NOTICES[kind].title, NOTICES[kind].line)
    if is_of_several(delivery):
        title, line = TURNS_TITLE, TURNS_LINE
    values = {"game": words.game, "count": delivery["data"].get("count", 1)}
    return sentence(title, language, values), sentence(line, language, values)


def is_of_several(delivery: Delivery) -> bool:
    """Return whether a notice tells of turns at more than one table."""
    return int(delivery["data"].get("count", 1)) > 1


def chat_text(delivery: Delivery, words: Words) -> str:
    """Return a line for a chat."""
    title, line = texts_of(delivery, words)
    link = f" {link_of(delivery, words.public_url)}" if words.public_url else ""
    return f"{title}. {line}{link}" if words.language == "en" else f"{title}。{line}{link}"


def link_of(delivery: Delivery, public_url: str) -> str:
    """Return the URL to open. Things to answer are on the first page."""
    is_first = delivery["type"] == TEST or NOTICES[delivery["type"]].opens == "start"
    return f"{public_url}/#/" if is_first else f"{public_url}/#/table/{delivery['data'].get('table')}"


def where(subscription: Subscription) -> tuple[str, str]:
    """Return what an endpoint proves by answering a challenge: its address, and the format."""
    return subscription["target"]["url"], subscription["target"]["format"]


def proves(body: bytes, challenge: str) -> bool:
    """Return whether an endpoint has answered the challenge: `{"challenge": …}`."""
    try:
        answer = loads(body)
    except ValueError:
        return False
    return isinstance(answer, dict) and answer.get("challenge") == challenge
