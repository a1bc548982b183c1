"""Deals that travel: a player sends the deal of a finished round by a link, and others play the same cards.

Who opens it gets the cards of the same seat, from the first card on, with AI players on all others, who choose as those
in the round that was sent: as long as the same is done, the same happens. Nothing of the cards or of any line is told
before somebody has played. Then the lines lie side by side.

It is a board (`service.boards.deals`) without an event: a table of one round, over which nobody has a host's rights and
which nobody else can watch.
"""

import hmac
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from service.boards.deals import AI_LEVEL, ai_player, has_levels
from service.boards.errors import DealFull, DealKnown, NotSendable, TooManyDeals
from service.boards.lines import Parting, line_of, parting
from service.common.places import places
from service.game.commands.round.shuffling import shuffle_name
from service.game.errors import NotFinished, NotFound, NotYourSeat
from service.game.events.types import Event
from service.game.ids import CODE, id_from
from service.game.records.record import GameLog, game_log
from service.game.records.sittings import Sitting, sittings_of
from service.game.shuffle import SEED_BYTES
from service.game.state.occupants import occupant_of
from service.game.state.queries import game_of, round_of
from service.game.state.rules import options_of
from service.game.state.table_types import Board, DealAsked, Occupant, TableSpec
from service.game.state.types import State
from service.rules.options.rulesets import RULESETS
from service.rules.options.storing import stored
from service.store.boards.links import LINK_MS, DealEntry, DealLink, DealLinkStore, Line, without
from service.store.port import Player, PlayerStore
from service.tables import Tables

#: Most links of a player at a time, and most players who open one.
MOST_SENT: Final = 20
MOST_ENTRIES: Final = 40
#: Length of the code of a link: 58 bits, since it works for a month.
LINK_LENGTH: Final = 12
_NO_TIME_LIMIT: Final = {"untimed": True}

#: What a deal is to somebody: `sender` has sent it, `knows` sat in the round and knows the cards, `playing` and
#: `played` have opened it.
Part: TypeAlias = Literal["sender", "knows", "playing", "played"]


class Row(NamedTuple):
    """A line in a comparison.

    Attributes:
        rank: 1 for the best; lines of one value share it. None: without a value.
        parts: where it parts from the line of who asks; None: nowhere.
    """

    rank: int | None
    player: Player
    line: Line
    parts: Parting | None


class Comparison(NamedTuple):
    """The lines of a deal, the best first.

    Attributes:
        link: the deal.
        rows: all lines that the player may see.
        mine: the player's own line; for others of the round, the line of who has sent the deal.
        other: the line beside it; None: there is no other yet.
        field: values of AI players who have played the deal at all seats; empty: not known.
    """

    link: DealLink
    rows: list[Row]
    mine: Row
    other: Row | None
    field: list[int]


class DealLinks:
    """See the module.

    Args:
        store: stores links.
        tables, players: tables of deals, and their players.
        records: returns the records of those of some players (ids) who exist.
        apart: returns those of some players (ids) between whom and a player there is a block.
        random_bytes: for codes and keys.
    """

    def __init__(
        self,
        store: DealLinkStore,
        tables: Tables,
        players: PlayerStore,
        records: Callable[[Collection[str]], Mapping[str, Player]],
        apart: Callable[[str, Collection[str]], Collection[str]],
        random_bytes: Callable[[int], bytes],
    ) -> None:
        self._store: Final = store
        self._tables: Final = tables
        self._players: Final = players
        self._records: Final = records
        self._apart: Final = apart
        self._random_bytes: Final = random_bytes

    # --- by who sends it ----------------------------------------------------------------------------------------------

    def send(self, player: str, log: GameLog, number: int) -> DealLink:
        """Return the link with which a player sends the deal of a round; the same one if it is sent already.

        Args:
            player: id.
            log: of the game, as far as the player may see it.
            number: the round.

        Raises:
            NotFound, NotFinished: there is no such round, or it is still being played.
            NotYourSeat: the player did not sit in it.
            NotSendable: its cards were laid out, or sent to the player.
            TooManyDeals: the player has reached the limit.
        """
        game, now = log.events[0]["data"]["game"], self._tables.now()
        opened, ended = _round_of(log, number)
        seated = _seated(ended, number)
        seat = next((each.seat for each in seated if each.occupant["player"] == player), None)
        if seat is None:
            raise NotYourSeat
        _check_sendable(ended)
        known = self._store.sent(player, now)
        for link in known:
            if (link["game"], link["round"]) == (game, number):
                return link
        if len(known) >= MOST_SENT:
            raise TooManyDeals(limit=MOST_SENT)
        key = self._random_bytes(SEED_BYTES).hex()
        others: list[str | None] = [AI_LEVEL] * ended["players"]
        for each in seated:
            others[each.seat] = each.occupant["level"] or AI_LEVEL
        others[seat] = None
        link = {
            "code": "".join(CODE[byte % len(CODE)] for byte in self._random_bytes(LINK_LENGTH)),
            "player": player,
            "game": game,
            "round": number,
            "seat": seat,
            "ruleset": ended["ruleset"],
            "players": ended["players"],
            "options": {**stored(ended["ruleset"], options_of(ended)), "deal_pace": "instant"},
            "levels": _levels(opened),
            "level": round_of(opened)["level"] if has_levels(ended["ruleset"]) else None,
            "deal": _deal_of(opened),
            "others": others,
            "people": sum(each.occupant["player"] is not None for each in seated) - 1,
            "key": key,
            "knowing": sorted(_mark(key, each.occupant["player"]) for each in seated if each.occupant["player"]),
            "line": line_of(log, number, seat),
            "made_at": now,
            "expires_at": now + LINK_MS,
            "entries": {},
        }
        # Listed first, so that concurrent requests cannot exceed the limit.
        if len(self._store.add_sent(player, link["code"], now)) > MOST_SENT:
            self._make_room(player, link["code"])
        self._store.create(link)
        return link

    def _make_room(self, player: str, code: str) -> None:
        """Take links off the list of a player that are gone, or else the new one (`code`).

        Raises:
            TooManyDeals: there are too many.
        """
        now = self._tables.now()
        living = {link["code"] for link in self._store.sent(player, now)} | {code}
        listed = self._store.add_sent(player, code, now)
        self._store.drop_sent(player, [each for each in listed if each not in living])
        if len(living) > MOST_SENT:
            self._store.drop_sent(player, [code])
            raise TooManyDeals(limit=MOST_SENT)

    def sent(self, player: str) -> list[DealLink]:
        """Return the links that a player has sent, the latest first."""
        return self._store.sent(player, self._tables.now())

    def rounds_sent(self, player: str) -> list[tuple[str, int]]:
        """Return the rounds (game and number) whose deals a player has sent."""
        return [(link["game"], link["round"]) for link in self.sent(player)]

    def take_back(self, player: str, code: str) -> None:
        """Delete a link, with all lines, as who has sent it. Tables at which its deal is played go on.

        Raises:
            NotFound: the player has sent no such link.
        """
        link = self._store.get(code)
        if link is None or link["player"] != player:
            raise NotFound(what="code", id=code, reason="unknown_code")
        self._store.delete(code)
        self._store.drop_sent(player, [code])

    # --- by who opens it ----------------------------------------------------------------------------------------------

    def of_code(self, code: str, player: str = "") -> DealLink | None:
        """Return the deal to which a code leads; None: nowhere, or its sender is gone, or apart from the player."""
        link = self._store.get(code)
        if link is None or self._tables.now() >= link["expires_at"] or self.sender(link) is None:
            return None
        return None if player and self._apart(player, [link["player"]]) else link

    def sender(self, link: DealLink) -> Player | None:
        """Return who has sent a deal; None if the account is gone."""
        return self._records([link["player"]]).get(link["player"])

    def part_of(self, link: DealLink, player: str) -> Part | None:
        """Return what a deal is to a player."""
        if player == link["player"]:
            return "sender"
        entry = link["entries"].get(player)
        if entry is not None:
            return "playing" if entry["line"] is None else "played"
        return "knows" if _mark(link["key"], player) in link["knowing"] else None

    def play(self, code: str, player: Player) -> DealLink:
        """Let a player play the deal, and return the link with the player's entry. Idempotent: there is one table.

        Raises:
            NotFound: the code leads nowhere.
            DealKnown: the player knows the cards from the round that was sent.
            DealFull: as many players as are allowed have opened it.
        """
        link, who = self.of_code(code, player["id"]), player["id"]
        if link is None:
            raise NotFound(what="code", id=code, reason="unknown_code")
        if self.part_of(link, who) in ("sender", "knows"):
            raise DealKnown
        now = self._tables.now()
        link = self._changed(code, lambda before: _entered(self._living(before), who, now))
        if link["entries"][who]["table"] is not None:
            return link
        self._store.add_entered(who, link, now)
        # With the id that follows from the link and the player, a repeated request finds the same table.
        table = _table_of(link, who)
        state = self._tables.create(player, spec_of(link, occupant_of(player)), table).state
        self._players.add_table(who, state["id"], now)
        return self._changed(code, lambda before: _with_entry(before, who, table=table))

    def compare(self, code: str, player: str, other: str | None = None) -> Comparison:
        """Return the lines of a deal, for somebody who has played it or knows it from the round.

        Args:
            code: of the link.
            player: id of who asks.
            other: whose line (id) to lay beside it; None: that of who has sent the deal, or for this player the best.

        Raises:
            NotFound: the code leads nowhere, or there is no line of `other`.
            NotFinished: the player has not played the deal to its end.
        """
        link = self.of_code(code, player)
        if link is None:
            raise NotFound(what="code", id=code, reason="unknown_code")
        if self.part_of(link, player) in (None, "playing"):
            raise NotFinished(what="deal")
        lines = {link["player"]: link["line"]}
        lines |= {name: entry["line"] for name, entry in link["entries"].items() if entry["line"] is not None}
        hidden, records = self._apart(player, lines), self._records(lines)
        lines = {name: line for name, line in lines.items() if name in records and name not in hidden}
        mine = lines.get(player, link["line"])
        place_of = places(value for line in lines.values() if (value := line["value"]) is not None)
        rows = [
            Row(
                None if line["value"] is None else place_of[line["value"]],
                records[name],
                line,
                _parting(link, mine, line),
            )
            for name, line in lines.items()
        ]
        rows.sort(key=lambda row: (row.rank is None, row.rank, row.line["at"]))
        own = next(row for row in rows if row.line is mine)
        beside = [row for row in rows if row is not own and other in (None, row.player["id"])]
        if other is not None and not beside:
            raise NotFound(what="player", id=other)
        beside.sort(key=lambda row: row.player["id"] != link["player"])
        return Comparison(link, rows, own, beside[0] if beside else None, self._store.field(code))

    def _changed(self, code: str, change: Callable[[DealLink], DealLink]) -> DealLink:
        after = self._store.change(code, change)
        if after is None:
            raise NotFound(what="code", id=code, reason="unknown_code")
        return after

    def _living(self, link: DealLink) -> DealLink:
        """Return a link without entries of accounts that no longer exist, if their places are needed."""
        if len(link["entries"]) < MOST_ENTRIES:
            return link
        for player in link["entries"].keys() - self._records(list(link["entries"])).keys():
            link = without(link, player)
        return link

    # --- par ----------------------------------------------------------------------------------------------------------

    def field(self, code: str) -> list[int]:
        """Return the values of AI players with a deal; empty: not known."""
        return self._store.field(code)

    def start_of(self, code: str) -> tuple[State, int]:
        """Return the table of a deal with AI players on all seats, and the seat to which it was sent.

        Raises:
            NotFound: the code leads nowhere.
        """
        link = self._store.get(code)
        if link is None:
            raise NotFound(what="code", id=code)
        return self._tables.unstored(spec_of(link, None)), link["seat"]

    def set_field(self, code: str, values: Sequence[int]) -> None:
        """Store the values of AI players with a deal."""
        self._store.set_field(code, values)


class DealLinkKeeper:
    """Stores lines of those who play deals that were sent. Called when a game is over, perhaps twice."""

    def __init__(self, store: DealLinkStore) -> None:
        self._store: Final = store

    def keep(self, state: State, log: Sequence[Event]) -> None:
        """Store the line of a game if its deal was sent by a link that still exists."""
        board = state["settings"].get("board")
        if board is None or "link" not in board:
            return
        link = self._store.get(board["event"])
        if link is None:
            return
        line = line_of(game_log(log, game_of(state)["id"]), link["round"], link["seat"])
        for player in link["entries"]:
            if _table_of(link, player) == state["id"]:
                self._store.change(link["code"], partial(_with_entry, player=player, line=line))


def spec_of(link: DealLink, entrant: Occupant | None) -> TableSpec:
    """Return the settings of the table of a deal; without an entrant, an AI player has that seat too."""
    occupants = [
        entrant if level is None and entrant is not None else _ai_player(seat, level or AI_LEVEL)
        for seat, level in enumerate(link["others"])
    ]
    of: Board = {"event": link["code"], "number": 1, "sealed_until": 0, "link": True}
    spec: TableSpec = {
        "ruleset": link["ruleset"],
        "players": link["players"],
        "options": link["options"],
        "visibility": "private",
        "spectators": "off",
        "hints": "off",
        "chat": False,
        "clock": _NO_TIME_LIMIT,
        "deal": link["deal"],
        "board": of,
        "occupants": occupants,
    }
    return {**spec, "start_levels": link["levels"]} if link["levels"] else spec


def _ai_player(seat: int, level: str) -> Occupant:
    return {**ai_player(seat), "level": level}


def _round_of(log: GameLog, number: int) -> tuple[State, State]:
    """Return the table when a finished round was opened, and when it was over.

    Raises:
        NotFound: there is no such round.
        NotFinished: it is still being played.
    """
    opened: State | None = None
    for event, _, after in log.states():
        if event["type"] == "round_opened" and event["data"]["number"] == number:
            opened = after
        elif event["type"] == "round_ended" and opened is not None:
            return opened, after
    raise NotFinished(what="round", round=number) if opened is not None else NotFound(what="round", round=number)


def _seated(state: State, number: int) -> list[Sitting]:
    """Return who sat where in a round."""
    return [each for each in sittings_of(state) if each.first <= number < each.first + each.rounds]


def _check_sendable(state: State) -> None:
    settings = state["settings"]
    if "known" in settings or "sandbox" in settings or "link" in settings.get("board", {}):
        raise NotSendable


def _levels(opened: State) -> list[str]:
    """Return the levels at the start of a round, as `start_levels`."""
    if not has_levels(opened["ruleset"]):
        return []
    levels = [seat["level"] for seat in opened["seats"]]
    return levels[:2] if RULESETS[opened["ruleset"]].teams == "fixed" else levels


def _deal_of(opened: State) -> DealAsked:
    """Return what a table repeats that gets the cards of a round which has just been opened."""
    table_round = round_of(opened)
    return {
        "server_seed": table_round["server_seed"],
        "shuffle_name": shuffle_name(opened),
        "round": table_round["number"],
        "entropy": table_round["entropy"],
        "starter": table_round["starter"],
        "declarer": table_round["declarer"],
        "next_seed": opened["next_seed"],
    }


def _digest(key: str, *of: str) -> bytes:
    return hmac.digest(bytes.fromhex(key), "|".join(of).encode(), "sha256")


def _table_of(link: DealLink, player: str) -> str:
    """Return the id of the table at which a player plays a deal. It is always the same."""
    return id_from("tb_", _digest(link["key"], "table", player))


def _mark(key: str, player: str) -> str:
    """Return by what a link knows a player again who sat in the round: nothing that others could read."""
    return _digest(key, "knows", player).hex()[:16]


def _entered(link: DealLink, player: str, now: int) -> DealLink:
    if player in link["entries"]:
        return link
    if len(link["entries"]) >= MOST_ENTRIES:
        raise DealFull(limit=MOST_ENTRIES)
    entry: DealEntry = {"at": now, "table": None, "line": None}
    return {**link, "entries": {**link["entries"], player: entry}}


def _with_entry(link: DealLink, player: str, **changes: Any) -> DealLink:
    """Return a link with a changed entry of a player, if there is one; a line that it has stays."""
    entry = link["entries"].get(player)
    if entry is None or entry["line"] is not None:
        return link
    changed: DealEntry = {**entry, **changes}  # type: ignore[typeddict-item]  # fields of an entry
    return {**link, "entries": {**link["entries"], player: changed}}


def _parting(link: DealLink, mine: Line, other: Line) -> Parting | None:
    return parting(mine["steps"], other["steps"], link["players"])
