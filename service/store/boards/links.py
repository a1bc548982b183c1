"""Deals that players have sent by a link: the cards, the line of who sent it, and the lines of who has played it.

A link is one value, and every change of it is a comparison with what was read, so its bounds hold whoever comes at the
same time. What is stored for it goes with it: nothing is written to a link that was taken back.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, NotRequired, TypeAlias, TypedDict

from service.common import fastjson
from service.game.state.table_types import DealAsked
from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.port import JsonObject
from service.store.scripts import Script, translate_errors

#: How long a link works (ms).
LINK_MS: Final = 30 * 24 * 3_600_000

_REPLACE: Final = Script("replace_field")
#: Fields of the hash: the link itself, and the values of AI players with its deal.
_LINK: Final = "l"
_FIELD: Final = "f"

#: Something that a seat has done in a round: the seat, the type of the action, and the cards or words with blanks
#: between them.
Step: TypeAlias = tuple[int, str, str]


class Line(TypedDict):
    """How a round with the deal went.

    Attributes:
        at: when it was over (ms).
        value: the result for comparison, of the seat to which the deal was sent; None: the round was broken off, or an
            AI made too many of its decisions.
        points: attackers' points; left out in Arm's Length, and if the round was broken off.
        side: the seat's side; left out as `points`.
        scores: scores of both sides, only in Arm's Length.
        steps: what was done, in order, without passes.
    """

    at: int
    value: int | None
    points: NotRequired[int]
    side: NotRequired[str]
    scores: NotRequired[list[int]]
    steps: list[Step]


class DealEntry(TypedDict):
    """Somebody who has opened the deal. `table`: None until it exists; `line`: None until the round is over."""

    at: int
    table: str | None
    line: Line | None


class DealLink(TypedDict):
    """A deal that a player has sent.

    Attributes:
        code: identifies it.
        player: who has sent it.
        game, round: the round that was played first; no reader is told them before playing.
        seat: the seat of the player in that round, and of everybody who plays the deal.
        ruleset, players, options: of the table.
        levels: levels at the start of the round, as `start_levels`; empty: all on `start_level`, or none.
        level: that of the declarer, or of the seat that draws first; None in Arm's Length.
        deal: what the table repeats, as `deal` of a new table (`RepeatedDeal` with its `server_seed`).
        others: level of the AI player of each seat; None: the seat of the player.
        people: number of other seats at which people sat in that round.
        key: secret (hex) from which tables and marks follow.
        knowing: marks of the players who know the cards, since they sat in that round (`service.boards.links`).
        line: how that round went.
        made_at, expires_at: times (ms).
        entries: player -> entry, in the order in which they came.
    """

    code: str
    player: str
    game: str
    round: int
    seat: int
    ruleset: str
    players: int
    options: JsonObject
    levels: list[str]
    level: str | None
    deal: DealAsked
    others: list[str | None]
    people: int
    key: str
    knowing: list[str]
    line: Line
    made_at: int
    expires_at: int
    entries: dict[str, DealEntry]


class DealLinkStore:
    """See the module."""

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client

    @translate_errors
    def create(self, link: DealLink) -> None:
        """Store a link."""
        key = keys.deal_link(link["code"])
        pipeline = self._redis.pipeline(transaction=True)
        pipeline.hset(key, _LINK, codec.encode(codec.DEAL_LINK, link))
        pipeline.hset(key, _FIELD, b"[]")
        pipeline.pexpire(key, LINK_MS)
        pipeline.execute()

    @translate_errors
    def get(self, code: str) -> DealLink | None:
        """Return a link; None if there is none."""
        return _decoded(self._redis.hget(keys.deal_link(code), _LINK), code)

    @translate_errors
    def change(self, code: str, change: Callable[[DealLink], DealLink]) -> DealLink | None:
        """Apply `change` to a link, and store and return the result; None if there is no such link.

        `change` must be pure: it is called again if the link was changed meanwhile.
        """
        key = keys.deal_link(code)
        while (stored := self._redis.hget(key, _LINK)) is not None:
            before = _decoded(stored, code)
            after = change(before) if before is not None else None
            if after is None or after == before:
                return after
            if _REPLACE.run(self._redis, (key,), _LINK, stored, codec.encode(codec.DEAL_LINK, after)):
                return after
        return None

    @translate_errors
    def field(self, code: str) -> list[int]:
        """Return the values of AI players with the deal; empty: none yet, or no such link."""
        stored = self._redis.hget(keys.deal_link(code), _FIELD)
        return [] if stored is None else fastjson.loads(stored)

    @translate_errors
    def set_field(self, code: str, values: Sequence[int]) -> None:
        """Store the values of AI players with the deal, unless there are some."""
        _REPLACE.run(self._redis, (keys.deal_link(code),), _FIELD, b"[]", fastjson.dumps([*values]))

    @translate_errors
    def delete(self, code: str) -> None:
        """Delete a link with all that is stored for it."""
        self._redis.delete(keys.deal_link(code))

    # --- lists of a player --------------------------------------------------------------------------------------------

    @translate_errors
    def add_sent(self, player: str, code: str, now: int) -> list[str]:
        """Put a new link on the list of those that a player has sent, and return the list (codes), the latest last."""
        return self._add(keys.deal_links_of(player), code, now, now + LINK_MS)

    @translate_errors
    def add_entered(self, player: str, link: DealLink, now: int) -> None:
        """Put a link on the list of those whose deal a player has opened."""
        self._add(keys.deals_entered_by(player), link["code"], now, link["expires_at"])

    @translate_errors
    def drop_sent(self, player: str, codes: Sequence[str]) -> None:
        """Take links off the list of those that a player has sent."""
        if codes:
            self._redis.zrem(keys.deal_links_of(player), *codes)

    @translate_errors
    def sent(self, player: str, now: int) -> list[DealLink]:
        """Return the links that a player has sent and that work at a time (ms), the latest first."""
        codes = self._redis.zrevrangebyscore(keys.deal_links_of(player), "+inf", f"({now}")
        stored = [self.get(code.decode()) for code in codes]
        return [link for link in stored if link is not None and link["player"] == player]

    @translate_errors
    def entered(self, player: str) -> dict[str, DealEntry]:
        """Return code -> entry of a player, of links that others have sent."""
        codes = [code.decode() for code in self._redis.zrange(keys.deals_entered_by(player), 0, -1)]
        links = {code: self.get(code) for code in codes}
        return {
            code: link["entries"][player]
            for code, link in links.items()
            if link is not None and player in link["entries"]
        }

    def erase(self, player: str) -> None:
        """Delete the links that a player has sent, and the player's lines at those of others."""
        for link in self.sent(player, 0):
            self.delete(link["code"])
        for code in self.entered(player):
            self.change(code, lambda link: without(link, player))

    def _add(self, key: str, code: str, now: int, expires_at: int) -> list[str]:
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.zremrangebyscore(key, "-inf", now)
        pipeline.zadd(key, {code: expires_at})
        pipeline.pexpire(key, LINK_MS)
        pipeline.zrange(key, 0, -1)
        return [name.decode() for name in pipeline.execute()[-1]]


def without(link: DealLink, player: str) -> DealLink:
    """Return a link without the entry of a player."""
    return {**link, "entries": {name: entry for name, entry in link["entries"].items() if name != player}}


def _decoded(stored: bytes | None, name: str) -> DealLink | None:
    return None if stored is None else codec.decode(codec.DEAL_LINK, stored, f"deal link {name}")
