"""Requests for devices: Web Push, and a relay to the push services of phones."""

import time
from collections.abc import Callable
from typing import Final

from service.common.fastjson import dumps
from service.game.views.fields import timestamp
from service.notices.choices import LEVELS
from service.notices.sending import Carrier
from service.notices.web_push import Vapid, encrypt
from service.notices.webhooks import Request, Words, data_of, is_of_several, signed, texts_of
from service.store.notices.outbox import Delivery
from service.store.notices.subscriptions import Subscription

#: Longest time for which a push service stores an undelivered message (s).
_LONGEST_TTL_S: Final = 24 * 3_600
#: Most characters of a topic.
_TOPIC: Final = 32


def web_push(vapid: Vapid, now: Callable[[], int]) -> Carrier:
    """Return the carrier of browsers. `now` returns milliseconds since the epoch."""

    def request(delivery: Delivery, subscription: Subscription, words: Callable[[], Words]) -> Request:
        target, wording = subscription["target"], words()
        message = {**_texts(delivery, wording), "type": delivery["type"], "data": data_of(delivery)}
        headers = {
            "Authorization": vapid.authorization(target["endpoint"], time.time()),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_left_s(delivery, now())),
            "Urgency": "high" if delivery["type"] in LEVELS["turns"] else "normal",
            # A later undelivered message replaces the earlier one.
            "Topic": _collapse_id(delivery)[:_TOPIC],
        }
        return Request(target["endpoint"], headers, encrypt(dumps(message), target["p256dh"], target["auth"]))

    return request


def relay(url: str, secret: str, now: Callable[[], int]) -> Carrier:
    """Return the carrier of phones: a request to the relay, signed like webhooks."""

    def request(delivery: Delivery, subscription: Subscription, words: Callable[[], Words]) -> Request:
        target, data, wording = subscription["target"], data_of(delivery), words()
        body = dumps(
            {
                "type": delivery["type"],
                "platform": target["platform"],
                "device_token": target["device_token"],
                # Both for apps with their own texts and for others.
                "title_loc_key": f"notice.{_name(delivery)}.title",
                "body_loc_key": f"notice.{_name(delivery)}.body",
                "loc_args": [wording.game, *([str(data["count"])] if is_of_several(delivery) else [])],
                **_texts(delivery, wording),
                "table": data.get("table"),
                "collapse_id": _collapse_id(delivery),
                "expires_at": timestamp(now() + 1000 * _left_s(delivery, now())),
            }
        )
        headers = {"Content-Type": "application/json", **signed(delivery["id"], [secret], body, time.time())}
        return Request(url, headers, body, trusted=True)

    return request


def _name(delivery: Delivery) -> str:
    return "turns" if is_of_several(delivery) else delivery["type"]


def _texts(delivery: Delivery, words: Words) -> dict[str, object]:
    title, line = texts_of(delivery, words)
    return {"title": title, "body": line, "language": words.language}


def _left_s(delivery: Delivery, now: int) -> int:
    until = delivery["until"]
    return _LONGEST_TTL_S if until is None else min(_LONGEST_TTL_S, max(0, (until - now) // 1000))


def _collapse_id(delivery: Delivery) -> str:
    if delivery.get("gathered"):
        # The next one tells of what still waits, too.
        return "turns"
    return f"{delivery['data'].get('table', '')}-{delivery['type']}".replace("_", "-")
