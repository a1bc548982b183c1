"""Requests about tables in the page, answered as the service answers those about its own.

Rows of data say which request is which command. Nothing is checked that keeps strangers out: whoever sends these
requests runs this code.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, cast

from service.api.alone.table import PLAYER, AloneTable
from service.api.http.problems import problem
from service.common.errors import InvalidRequest, Refusal
from service.game.commands.ai_moves import seed_for
from service.game.commands.transaction import RandomBytes
from service.game.errors import NotFound, NotYourTurn, StaleDecision, WrongPhase
from service.game.events.types import Event
from service.game.state.families import family_of
from service.game.state.queries import seats_asked
from service.game.state.table_types import TableSpec
from service.game.views.ai_view import ai_view
from service.game.views.fields import timestamp
from service.game.views.telling import tell
from service.game.views.view import decision_view, view, viewer_of
from service.rules.cards import names_of
from service.texts.ai_reasons import figures_text, reason_text
from workers.ai.heuristics.rule_players import advice_of

#: Method and path below the table -> type of the command; its fields are those of the body and of the path.
COMMANDS: Final[Mapping[str, str]] = {
    "POST /declare": "declare",
    "POST /pass": "pass",
    "POST /redeal": "redeal",
    "POST /discard": "discard",
    "POST /overcall-kitty": "overcall_kitty",
    "POST /call": "call",
    "POST /road": "road",
    "POST /play": "play",
    "POST /claim": "claim",
    "POST /seats": "sit",
    "DELETE /seats/me": "leave",
    "PUT /seats/me/ready": "ready",
    "POST /seats/me/resume": "resume",
    "PUT /seats/{seat}/ai": "seat_ai",
    "DELETE /seats/{seat}": "kick",
    "POST /take-back": "take_back",
    "POST /votes": "open_vote",
    "DELETE /pause": "end_pause",
    "PATCH ": "settings",
}
#: The list of all tables, and the table of a lesson, which is not in it. Tables have names such as `alone-k3v9`.
ALL: Final = "alone"
LESSON: Final = "alone-lesson"
_SEAT: Final = re.compile(r"/seats/(\d+)")
_QUERY: Final = re.compile(r"([a-z_]+)=(\d+)")
#: `params` of `PATCH` are one field of its command.
_CHANGES: Final = "settings"


class Player(NamedTuple):
    """The person at the tables.

    Attributes:
        occupant: `kind`, `player` (id), `name` and what the player has chosen, as `sit` takes them.
        language: of refusals.
    """

    occupant: Mapping[str, object]
    language: str

    @property
    def id(self) -> str:
        """The player's id."""
        return str(self.occupant["player"])


class Engine:
    """Tables in the page.

    Args:
        random_bytes: returns random bytes from a CSPRNG.
        kept: table -> its JSON text, as `answer` gave it last.
    """

    def __init__(self, random_bytes: RandomBytes, kept: Mapping[str, str]) -> None:
        self._random_bytes: Final = random_bytes
        self._tables: Final = {table: AloneTable(json.loads(text), random_bytes) for table, text in kept.items()}

    def answer(self, text: str) -> str:
        """Answer a request; both are JSON.

        Args:
            text: `method`, `path` (below `/v1`), `body`, `now` (ms), `occupant` and `language`.

        Returns:
            `status` and `body`, as the service would answer. `events` if any were added; `due_at` (ms) when `step` has
            something to do; `kept` what is to be stored of the table, null: nothing any more.
        """
        asked = json.loads(text)
        player = Player(asked["occupant"], asked["language"])
        name, path, query = _parts(asked["path"])
        version = self._version(name)
        try:
            status, body = self._answer(asked["method"], name, path, query, asked["body"] or {}, player, asked["now"])
        except Refusal as refusal:
            body = dict(problem(refusal, player.language, instance=asked["path"], request_id=""))
            status = int(str(body["status"]))
        return json.dumps({"status": status, "body": body, **self._told(name, version, player)})

    def step(self, name: str, text: str) -> str:
        """Do the next thing that is due at a table. `text` has `now`, `occupant` and `language`; see `answer`."""
        asked = json.loads(text)
        player = Player(asked["occupant"], asked["language"])
        version = self._version(name)
        if name in self._tables:
            self._tables[name].step(asked["now"])
        return json.dumps(self._told(name, version, player))

    def _version(self, name: str) -> int:
        return self._tables[name].state["version"] if name in self._tables else 0

    def _told(self, name: str, version: int, player: Player) -> dict[str, object]:
        """Return what has changed at a table since a version."""
        table = self._tables.get(name)
        if table is None:
            return {"events": [], "due_at": None, "kept": None}
        events = _seen(table, table.log[version:], player)
        kept = json.dumps(table.kept()) if events else ""
        return {"events": events, "due_at": table.due_at(), "kept": kept}

    def _answer(
        self,
        method: str,
        name: str,
        path: str,
        query: Mapping[str, int],
        body: Mapping[str, Any],
        player: Player,
        now: int,
    ) -> tuple[int, object]:
        if name == ALL:
            return 200, {"items": [_summary(name, table) for name, table in self._tables.items() if name != LESSON]}
        if method == "POST" and not path:
            spec = cast("TableSpec", body)
            self._tables[name] = AloneTable.open(name, player.id, spec, now, self._random_bytes)
            return 201, _view(self._tables[name], player, now)
        if name not in self._tables:
            raise NotFound(what="table", id=name)
        table = self._tables[name]
        if method == "DELETE" and not path:
            return 200, {"view": _view(self._tables.pop(name), player, now)}
        if f"{method} {path}" in _READS:
            return 200, _READS[f"{method} {path}"](table, player, now, {**query, **body})
        seat = _SEAT.match(path)
        kind = COMMANDS.get(f"{method} {_SEAT.sub('/seats/{seat}', path)}")
        if kind is None:
            raise NotFound(what="path")
        fields = {"changes": body, "version": None} if kind == _CHANGES else body
        numbered = {"seat": int(seat[1])} if seat else {}
        events = table.act({"type": kind, **player.occupant, "key": None, **fields, **numbered}, now)
        last = events[-1]["seq"] if events else table.state["version"]
        return 200, {
            "seq": last,
            "version": table.state["version"],
            "server_time": timestamp(now),
            "events": _seen(table, events, player),
            "view": _view(table, player, now),
        }


def _parts(path: str) -> tuple[str, str, dict[str, int]]:
    """Split `/tables/alone/events?after=3` into table, the path below it, and the numbers of the query."""
    before, _, query = path.partition("?")
    parts = before.split("/", 3)
    if len(parts) < 3 or parts[1] != "tables":
        raise InvalidRequest(reason="bad_http")
    return parts[2], "/" + parts[3] if len(parts) > 3 else "", {key: int(value) for key, value in _QUERY.findall(query)}


# --- reading ---------------------------------------------------------------------------------------------------------


def _summary(name: str, table: AloneTable) -> object:
    """Return what the list of all tables shows of one."""
    state = table.state
    game = state["game"]
    return {
        "id": name,
        "ruleset": state["ruleset"],
        "players": state["players"],
        "status": state["status"],
        "game": game["id"] if game else None,
        "rounds": len(game["results"]) if game else 0,
        "at": timestamp(state["at"]),
    }


def _view(table: AloneTable, player: Player, now: int) -> object:
    return view(table.state, viewer_of(table.state, player.id), now)


def _seen(table: AloneTable, events: list[Event], player: Player) -> list[Any]:
    return [*tell(events, viewer_of(table.state, player.id), table.state)] if events else []


def _page(table: AloneTable, player: Player, now: int, asked: Mapping[str, Any]) -> object:
    after = asked.get("after", 0)
    events = table.log[after : after + asked.get("limit", len(table.log))]
    seen, version = _seen(table, events, player), table.state["version"]
    return {"events": seen, "next_after": after + len(seen), "version": version, "server_time": timestamp(now)}


def _asked_seat(table: AloneTable, player: Player, now: int, action: str, decision_id: str | None) -> int:
    """Return the player's seat if the open decision asks it.

    Raises:
        WrongPhase, StaleDecision, NotYourTurn
    """
    state, decision = table.state, table.state["decision"]
    seat = viewer_of(state, player.id)
    if decision is None or decision["kind"] == "ready" or not isinstance(seat, int):
        raise WrongPhase(action=action, expected=decision["kind"] if decision else None)
    if decision_id not in (None, decision["id"]):
        raise StaleDecision(decision_id, decision_view(state, seat, now), now)
    seats = seats_asked(state, decision)
    if seat not in seats:
        raise NotYourTurn(seats=seats)
    return seat


def _legal_plays(table: AloneTable, player: Player, now: int, asked: Mapping[str, Any]) -> object:
    seat = _asked_seat(table, player, now, "play", None)
    plays, complete = family_of(table.state).legal_plays(table.state, seat, asked["limit"])
    return {"plays": [names_of(play) for play in plays], "complete": complete}


def _hint(table: AloneTable, player: Player, now: int, asked: Mapping[str, Any]) -> object:
    seat = _asked_seat(table, player, now, "hint", asked["decision_id"])
    advice = advice_of(PLAYER, {**ai_view(table.state, seat, now)}, seed_for(table.state, seat, "hint"))
    why = advice.reason and {
        **advice.reason,
        "text": reason_text(advice.reason, player.language),
        "figures": figures_text(advice.reason, player.language),
    }
    return {
        "decision_id": asked["decision_id"],
        "status": "ready",
        "level": "easy",
        "action": advice.command,
        "reason": why,
        "others": [],
    }


#: Method and path below the table -> what is read.
_READS: Final[Mapping[str, Callable[[AloneTable, Player, int, Mapping[str, Any]], object]]] = {
    "GET ": lambda table, player, now, _: _view(table, player, now),
    "GET /events": _page,
    "GET /legal-plays": _legal_plays,
    "POST /hint": _hint,
    "GET /record": lambda table, _, now, __: table.record(now),
}
