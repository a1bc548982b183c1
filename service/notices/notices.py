"""Players' choices of notices, and common use cases of subscriptions."""

from collections.abc import Callable
from typing import Any, Final

from service.notices.choices import DEFAULT
from service.notices.errors import NoSuchNotice, TooManySubscriptions
from service.notices.scanner import Scanner
from service.store.notices.subscriptions import PREFIXES, Choice, Kind, Subscribed, Subscription, SubscriptionStore
from service.store.players.inbox import InboxStore

#: Kind -> most subscriptions of a player.
MOST: Final[dict[Kind, int]] = {"webhook": 5, "webpush": 10, "relay": 10}
#: Most tables in a subscription or a choice.
MOST_TABLES: Final = 200


class Notices:
    """See the module.

    Args:
        subscriptions, inbox: the stores.
        scanner: schedules scans of tables.
        tables_of: returns the tables of a player.
        now: returns milliseconds since the epoch.
    """

    def __init__(
        self,
        *,
        subscriptions: SubscriptionStore,
        inbox: InboxStore,
        scanner: Scanner,
        tables_of: Callable[[str], list[str]],
        now: Callable[[], int],
    ) -> None:
        self.store: Final = subscriptions
        self.now: Final = now
        self._inbox: Final = inbox
        self._scanner: Final = scanner
        self._tables_of: Final = tables_of

    def sat(self, player: str, table: str) -> None:
        """Note that a player has sat down at a table."""
        self._scanner.schedule(self.store.of_player(player), [table])

    def schedule_scans(self, player: str) -> None:
        """Schedule scans of the tables of a player after a change of subscriptions or choices."""
        self._scanner.schedule(self.store.of_player(player), self._tables_of(player))

    def of_kind(self, player: str, *kinds: Kind) -> tuple[Subscribed, list[Subscription]]:
        """Return the notice settings of a player, and the subscriptions of some kinds, oldest first."""
        subscribed = self.store.of_player(player)
        chosen = [each for each in subscribed.subscriptions.values() if each["kind"] in kinds]
        return subscribed, sorted(chosen, key=lambda each: (each["created_at"], each["id"]))

    def add(self, subscription: Subscription) -> None:
        """Store a subscription.

        Raises:
            TooManySubscriptions: the player has `MOST` of its kind.
            NoSuchNotice: the player no longer exists.
        """
        most = MOST[subscription["kind"]]
        outcome = self.store.add(subscription, most, self._inbox.extent(subscription["player"]).last)
        if outcome == "full":
            raise TooManySubscriptions(kind=subscription["kind"], limit=most)
        if outcome == "gone":
            raise NoSuchNotice(what="player", id=subscription["player"])
        self.schedule_scans(subscription["player"])

    def remove(self, player: str, subscription: str, *kinds: Kind) -> None:
        """Delete a subscription.

        Raises:
            NoSuchNotice: the player has none of these kinds with this id.
        """
        known = subscription.startswith(tuple(PREFIXES[kind] for kind in kinds))
        if not known or not self.store.remove(player, subscription):
            raise NoSuchNotice(what="webhook" if "webhook" in kinds else "subscription", id=subscription)

    # --- choices of players -------------------------------------------------------------------------------------------

    def choice(self, player: str) -> Choice:
        """Return a player's choices for their devices."""
        return self.store.of_player(player).choice or DEFAULT

    def choose(self, player: str, changes: dict[str, Any]) -> Choice:
        """Change a player's choices; `tables` replaces those of single tables, and `default` removes one."""
        here = set(self._tables_of(player))

        def change(before: Choice | None) -> Choice:
            chosen: Choice = {**(before or DEFAULT), **{name: changes[name] for name in changes if name != "tables"}}  # type: ignore[typeddict-item]
            merged = {**chosen["tables"], **changes.get("tables", {})}
            # Choices for tables that the player has left are removed with the next change.
            levels = {table: level for table, level in merged.items() if level != "default" and table in here}
            return {**chosen, "tables": levels}

        chosen = self.store.choose(player, change)
        self.schedule_scans(player)
        return chosen
