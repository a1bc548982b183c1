"""The tables that a bot keeps running by its config, and those that it joins."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from shengji_client.bot.chores import Chores
from shengji_client.bot.config import Config
from shengji_client.client import Client
from shengji_client.models import View
from shengji_client.problems import Problem
from shengji_client.protocol import Json
from shengji_client.table import Table

#: Interval of looking at the list of tables, s: what the account's stream should have told, too.
LOOK_S: Final = 15.0
#: The reason of a table with too many events for another game.
USED_UP: Final = "table_used_up"

log = logging.getLogger(__name__)


@dataclass
class Kept:
    """A table of the config, by its place there."""

    name: str
    spec: Json
    table: str | None = None
    #: Whether the service has refused it for good.
    refused: bool = False


class Keeper:
    """Keeps one table running for each spec of the config, and sits down at the tables of its join codes.

    When a game at a kept table is over, another one begins there. A table that is closed, or has become too long for
    another game, is replaced.

    Args:
        client: client of the bot's player.
        config: its configuration.
        chores: where the work is done.
        look_at: makes the runner look at a table.
    """

    def __init__(self, client: Client, config: Config, chores: Chores, look_at: Callable[[str], None]) -> None:
        self._client = client
        self._config = config
        self._chores = chores
        self._look_at = look_at
        self._own_tables = [
            Kept(f"table {number} of the config ({spec['ruleset']}, {spec['players']} players)", spec)
            for number, spec in enumerate(config.tables, 1)
        ]
        self._joined: set[str] = set()
        #: Tables of the player that are none of the config.
        self._foreign: set[str] = set()
        self._me = ""
        self._draining = False

    def start(self) -> None:
        """Begin, or look again at everything."""
        for code in self._config.join:
            if code not in self._joined:
                self._chores.add(f"join code {code}", partial(self._join, code))
        self.look()

    def look(self) -> None:
        """Look at the list of tables now."""
        self._chores.add("the list of tables", self._look, lasting=True)

    def drain(self) -> None:
        """Open no more tables."""
        self._draining = True

    def is_kept(self, table: str) -> bool:
        """Return whether another game is to begin at a table when its game is over."""
        return not self._draining and any(own.table == table for own in self._own_tables)

    def replace(self, table: str) -> None:
        """Close a kept table at which no more games can begin, and open another one."""
        name = f"closing table {table}"
        self._chores.add(name, partial(self._close, table))

    def _close(self, table: str) -> None:
        try:
            Table(self._client, table).close()
            log.info("table %s: closed after its last game; another one is opened", table)
        except Problem as problem:
            if problem.code != "not-found":
                raise
        self.look()

    def _look(self) -> float:
        rows = {row["table"]: row for row in _all(self._client, "/v1/me/tables")}
        for own in self._own_tables:
            row = rows.get(own.table or "")
            if row is None or row["closed"]:
                own.table = None
        taken = {own.table for own in self._own_tables}
        for row in rows.values():
            if row["table"] not in taken and self._may_be_kept(row):
                self._adopt(row["table"])
        for own in self._own_tables:
            if own.table is None and not own.refused and not self._draining:
                self._chores.add(own.name, partial(self._open, own))
        for row in rows.values():
            # A turn that no stream has told, for whatever reason.
            if row["seat"] is not None and not row["closed"] and row["my_turn"]:
                self._look_at(row["table"])
        return LOOK_S

    def _may_be_kept(self, row: Json) -> bool:
        return not (row["closed"] or row.get("board") or row["table"] in self._foreign) and any(
            own.table is None and own.spec["ruleset"] == row["ruleset"] and own.spec["players"] == row["players"]
            for own in self._own_tables
        )

    def _adopt(self, table: str) -> None:
        """Keep a table of an earlier run."""
        view = Table(self._client, table).view()
        if not self._me:
            self._me = str(self._client.request("GET", "/v1/me")["id"])
        for own in self._own_tables:
            if own.table is None and _is_own(view, self._me) and _fits(view, own.spec):
                own.table = table
                log.info("table %s: goes on as %s", table, own.name)
                # It may have been left before everybody had a seat.
                self._chores.add(f"table {table}", partial(self._fill, table))
                return
        self._foreign.add(table)

    def _open(self, own: Kept) -> None:
        if own.table is not None or self._draining:
            return
        try:
            table = Table.create(self._client, own.spec).id
        except Problem as problem:
            own.refused = problem.status in (400, 422)
            raise
        own.table = table
        log.info("table %s: %s for %d players", table, own.spec["ruleset"], own.spec["players"])
        self._chores.add(f"table {table}", partial(self._fill, table))

    def _fill(self, id_: str) -> None:
        """Sit down at a kept table, and put AI players on the other seats. May be done again after a failure."""
        table = Table(self._client, id_)
        view = table.view()
        if view["closed"]:
            self.look()
            return
        if "my" not in view:
            view = table.sit(0)["view"]
        for seat in view["seats"]:
            if seat["occupant"] is None:
                table.seat_ai(seat["seat"])
        self._look_at(id_)

    def _join(self, code: str) -> None:
        table = Table.by_code(self._client, code)
        try:
            table.sit(join_code=code)
            log.info("table %s: joined by the code %s", table.id, code)
        except Problem as problem:
            if problem.code != "already-seated":
                raise
        self._joined.add(code)
        self._look_at(table.id)


def _all(client: Client, path: str) -> Iterator[Json]:
    cursor: str | None = None
    while True:
        page: Json = client.request("GET", path, query={"cursor": cursor} if cursor else None)
        yield from page["items"]
        cursor = page.get("next_cursor")
        if cursor is None:
            return


def _is_own(view: View, me: str) -> bool:
    """Return whether the player hosts a table at which nobody else sits."""
    occupants = [seat["occupant"] for seat in view["seats"]]
    return view["host"] == me and all(
        occupant is None or occupant["kind"] == "ai" or occupant["player"] == me for occupant in occupants
    )


def _fits(view: View, spec: Json) -> bool:
    """Return whether a table has what a spec says, as far as its view shows that."""
    fields: Json = {**view["settings"], **view}
    return all(
        _is_within(wanted, fields[name]) for name, wanted in spec.items() if name in fields and name != "practice"
    )


def _is_within(wanted: Any, actual: Any) -> bool:
    if isinstance(wanted, dict) and isinstance(actual, dict):
        return all(_is_within(value, actual.get(name)) for name, value in wanted.items())
    return bool(wanted == actual)
