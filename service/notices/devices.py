"""The use cases of devices: browsers with Web Push, and phones behind a relay."""

import hashlib
import re
from collections.abc import Mapping
from typing import Final, Literal
from urllib.parse import urlsplit

from service.common.settings import Settings
from service.notices.choices import EVENTS
from service.notices.errors import BadTarget
from service.notices.notices import Notices
from service.notices.outbound import PORTS, Outbound
from service.store.notices.subscriptions import PREFIXES, Subscription

#: Push services of browsers: their domains.
PUSH_HOSTS: Final = (
    "fcm.googleapis.com",
    "push.services.mozilla.com",
    "push.apple.com",
    "notify.windows.com",
)
#: Push services of phones, used by the relay.
PLATFORMS: Final = ("apns", "fcm")
#: Kinds of subscriptions of devices.
DEVICE_KINDS: Final = ("webpush", "relay")
#: Characters of tokens of phones. A relay puts them into the paths of its requests, so none may change a path.
_is_device_token: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_:.=+~-]*", re.ASCII).fullmatch


class Devices:
    """See the module.

    Args:
        notices: common use cases of subscriptions.
        push_key: public key of the service for push services; "": no Web Push.
        outbound: sends the requests, and refuses addresses.
        relays: whether there is a relay.
        any_host: whether any host may be a push service; for tests.
    """

    def __init__(
        self, notices: Notices, push_key: str, outbound: Outbound, *, relays: bool, any_host: bool = False
    ) -> None:
        self._notices: Final = notices
        self.push_key: Final = push_key
        self._outbound: Final = outbound
        self.relays: Final = relays
        self._any_host: Final = any_host

    def of_player(self, player: str) -> list[Subscription]:
        """Return the subscriptions of a player's devices, oldest first."""
        return self._notices.of_kind(player, *DEVICE_KINDS)[1]

    def add_browser(self, player: str, token: str, name: str, *, endpoint: str, p256dh: str, auth: str) -> Subscription:
        """Subscribe a browser, replacing an earlier subscription with the same name.

        Args:
            player: id of the player.
            token: id of the device's token, with which the subscription ends.
            name: chosen by the device.
            endpoint, p256dh, auth: values of the `PushSubscription`; the last two in base64url.

        Raises:
            BadTarget: one of the values is not valid.
            TooManySubscriptions: the player has reached the limit.
        """
        if not self.push_key:
            raise BadTarget(reason="no_web_push", field="carrier")
        if not self._is_push_host(endpoint):
            raise BadTarget(reason="push_host", field="endpoint", hosts=[*PUSH_HOSTS])
        if (reason := self._outbound.refusal(endpoint)) is not None:
            raise BadTarget(reason=reason, field="endpoint", ports=[*PORTS])
        from service.notices import web_push  # noqa: PLC0415 (cryptography takes 8 MB, so load it only if used)

        if not web_push.is_key(p256dh):
            raise BadTarget(reason="push_key", field="p256dh", bytes=web_push.KEY_BYTES)
        if not web_push.is_secret(auth):
            raise BadTarget(reason="push_key", field="auth", bytes=web_push.SECRET_BYTES)
        target = {"endpoint": endpoint, "p256dh": p256dh, "auth": auth}
        return self._add("webpush", player, token, name, target)

    def add_phone(self, player: str, token: str, name: str, *, platform: str, device_token: str) -> Subscription:
        """Subscribe a phone. Other arguments and errors are those of `add_browser`.

        Args:
            platform: one of `PLATFORMS`.
            device_token: the platform's token of the app on this phone.
        """
        if not self.relays:
            raise BadTarget(reason="no_relay", field="carrier")
        if not _is_device_token(device_token):
            raise BadTarget(reason="device_token", field="device_token")
        return self._add("relay", player, token, name, {"platform": platform, "device_token": device_token})

    def remove(self, player: str, name: str) -> None:
        """Remove the subscription of a device.

        Raises:
            NoSuchNotice: the player has none with this name.
        """
        known = {each["target"]["name"]: each["id"] for each in self.of_player(player)}
        self._notices.remove(player, known.get(name, name), *DEVICE_KINDS)

    def _add(
        self, kind: Literal["webpush", "relay"], player: str, token: str, name: str, target: Mapping[str, str]
    ) -> Subscription:
        now = self._notices.now()
        subscription: Subscription = {
            "id": PREFIXES[kind] + hashlib.sha256(f"{player} {name}".encode()).hexdigest()[:16],
            "player": player,
            "kind": kind,
            "events": [*EVENTS],
            "tables": "all",
            "after_ms": 0,
            "created_at": now,
            "since": now,
            "state": "active",
            "target": {**target, "name": name},
            "token": token,
        }
        self._notices.add(subscription)
        return subscription

    def _is_push_host(self, endpoint: str) -> bool:
        try:
            parts = urlsplit(endpoint)
            host = (parts.hostname or "").lower()
        except ValueError:
            return False
        if self._any_host:
            return True
        known = any(host == each or host.endswith(f".{each}") for each in PUSH_HOSTS)
        return known and parts.scheme == "https" and "@" not in parts.netloc


def push_key_of(settings: Settings) -> str:
    """Return the public key of the service for push services; "" if it has none."""
    if not settings.vapid_private_key:
        return ""
    from service.notices.web_push import Vapid  # noqa: PLC0415 (as above)

    return Vapid(settings.vapid_private_key, settings.vapid_subject).public_key
