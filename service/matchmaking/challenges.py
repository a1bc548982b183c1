"""Challenges: who may be challenged to which game, and the answer (decision 160)."""

import secrets
from collections.abc import Sequence
from typing import Final

from service.game.errors import NotFound
from service.game.state.queries import is_board, seat_of, starters
from service.game.state.types import State
from service.game.views.fields import timestamp
from service.matchmaking.errors import ChallengeOver, NotAccepted
from service.matchmaking.seating import DAYS, seat
from service.people.people import People
from service.rules.options.presets import with_preset
from service.rules.options.rulesets import effective_options
from service.store.matchmaking.challenges import Answered, Challenge, ChallengeStore
from service.store.matchmaking.tickets import Kind, Match
from service.store.players.inbox import InboxStore, Note
from service.store.port import Player, PlayerStore, StoreTooNew, is_suspended
from service.tables import Tables

#: Time for answering a challenge (ms), and one to a game of days.
ANSWER_MS: Final = 20_000
ANSWER_IN_DAYS_MS: Final = 3 * 24 * 3_600_000
#: Most online bots examined for a list, and most listed.
_MOST_HERE: Final = 1_000
MOST_LISTED: Final = 100
#: Most tables that are read for a list, to leave out bots that play as many games as they want.
_MOST_READ: Final = 200


class Challenges:
    """See the module.

    Args:
        store: stores challenges.
        people: friends, blocks, and who is online.
        players, inbox: the stores.
        tables: opens tables.
    """

    def __init__(
        self,
        store: ChallengeStore,
        people: People,
        players: PlayerStore,
        inbox: InboxStore,
        tables: Tables,
    ) -> None:
        self._store: Final = store
        self._people: Final = people
        self._players: Final = players
        self._inbox: Final = inbox
        self._tables: Final = tables

    def make(
        self, by: Player, to: str, kind: Kind, challenge: str, now: int, *, rated: bool, ai_level: str
    ) -> Answered:
        """Challenge a player; `challenge` is its id. May be called again after a lost response.

        Raises:
            NotFound: there is no such player.
            InvalidRequest: there is no such game.
            NotAccepted: the player does not accept such a challenge, or not now.
        """
        known = self._store.get(challenge)
        if known is not None:
            return known
        chosen = with_preset(kind["ruleset"], kind["players"], kind["preset"], {})
        effective_options(kind["ruleset"], kind["players"], chosen)
        record = self._players.get(to)
        if record is None or to == by["id"]:
            raise NotFound(what="player", id=to)
        self._check(by, record, kind, now, rated=rated)
        answer_ms = ANSWER_IN_DAYS_MS if kind["clock"] == DAYS else ANSWER_MS
        opened: Challenge = {
            "id": challenge,
            "kind": kind,
            "rated": rated,
            "seed": None if rated else secrets.token_hex(16),
            "ai_level": ai_level,
            "by": by["id"],
            "to": to,
            "made_at": now,
            "answer_by": now + answer_ms,
        }
        self._store.add(opened)
        data = {
            "challenge": challenge,
            "player": by["id"],
            "name": by["name"],
            **kind,
            "rated": rated,
            "answer_by": timestamp(opened["answer_by"]),
            "remaining_ms": answer_ms,
        }
        self._inbox.put(to, Note("challenged", now, data), "challenge")
        return Answered(opened, None)

    def _check(self, by: Player, to: Player, kind: Kind, now: int, *, rated: bool) -> None:
        accepts = to.get("accepts")
        if accepts is None:
            raise NotAccepted(what="challenges")
        wanted = accepts["from"]
        fits = {
            "from": wanted == "anyone"
            or (wanted == "bots" and by["kind"] == "bot")
            or bool(self._people.store.are_friends(to["id"], [by["id"]])),
            "rulesets": not accepts["rulesets"] or kind["ruleset"] in accepts["rulesets"],
            "players": not accepts["players"] or kind["players"] in accepts["players"],
            "clocks": not accepts["clocks"] or kind["clock"] in accepts["clocks"],
            "rated": accepts["rated"] == "any" or (accepts["rated"] == "rated") == rated,
        }
        for what, is_so in fits.items():
            if not is_so:
                raise NotAccepted(what=what)
        # To a blocked player, the other is never there: `accepts` is public, and `GET /v1/bots` does not list them.
        is_there = kind["clock"] == DAYS or self._people.store.here([to["id"]], now)
        if not is_there or is_suspended(to, now) or self._people.is_apart(by["id"], [to["id"]]):
            raise NotAccepted(what="away")
        if self._is_busy(to["id"], accepts["concurrent"], self._players.tables_of(to["id"])):
            raise NotAccepted(what="concurrent")

    def _is_busy(self, player: str, most: int, tables: Sequence[str]) -> bool:
        """Return whether a player plays `most` games with others at these tables, read one after the other."""
        playing = 0
        for table in tables:
            try:
                stored = self._tables.store.load(table)
            except StoreTooNew:
                continue
            playing += stored is not None and _plays_with_others(stored.state, player)
            if playing >= most:
                break
        return playing >= most

    def of(self, player: str, challenge: str) -> Answered:
        """Return a challenge by or to a player.

        Raises:
            NotFound: there is no such challenge.
        """
        known = self._store.get(challenge)
        if known is None or player not in (known.challenge["by"], known.challenge["to"]):
            raise NotFound(what="challenge", id=challenge)
        return known

    def answer(self, player: str, challenge: str, answer: str, now: int) -> Answered:
        """Answer a challenge: `accepted` or `declined` (with a reason) as the challenged player, else `withdrawn`.

        Raises:
            NotFound: there is no such challenge, or the player cannot give this answer.
            ChallengeOver: it has another answer, or its time is over.
        """
        known = self.of(player, challenge)
        record = known.challenge
        if player != record["by" if answer == "withdrawn" else "to"]:
            raise NotFound(what="challenge", id=challenge)
        if known.answer is None and now > record["answer_by"]:
            raise ChallengeOver(state="expired")
        outcome = known.answer
        if outcome is None and answer == "accepted" and self._has_ended(record, now):
            outcome = self._store.answer(challenge, "withdrawn")
        outcome = outcome or self._store.answer(challenge, answer)
        if outcome != answer:
            raise ChallengeOver(state=(outcome or "expired").partition(" ")[0])
        if answer.startswith("declined"):
            data = {"challenge": challenge, "player": record["to"], "reason": answer.partition(" ")[2]}
            self._inbox.put(record["by"], Note("challenge_declined", now, data), "challenge")
        return Answered(record, answer)

    def _has_ended(self, challenge: Challenge, now: int) -> bool:
        """Return whether a block, or what became of the challenger, has ended a challenge as its withdrawal would."""
        by = self._players.get(challenge["by"])
        return by is None or is_suspended(by, now) or self._people.is_apart(challenge["to"], [challenge["by"]])

    def seat(self, challenge: Challenge, now: int) -> str:
        """Open the table of an accepted challenge and start its game. Idempotent."""
        players = challenge["kind"]["players"]
        match: Match = {
            "id": challenge["id"],
            "kind": challenge["kind"],
            "seats": [challenge["by"], challenge["to"], *[None] * (players - 2)],
            "ai_level": challenge["ai_level"],
            "tickets": [],
            "made_at": challenge["made_at"],
            "confirm_by": challenge["answer_by"],
        }
        if challenge["seed"] is not None:
            match["seed"] = challenge["seed"]
        table, seated = seat(match, self._tables, self._players, self._people.to_start, now)
        data = {"match": challenge["id"], "table": table, "ruleset": challenge["kind"]["ruleset"]}
        for player in seated:
            self._inbox.put(player, Note("seated", now, data), "table")
        return table

    def bots(self, player: str, now: int) -> Sequence[Player]:
        """Return online bots that accept challenges, without blocks between them and the player.

        Bots that play as many games as they want are left out, as far as `_MOST_READ` tables tell.
        """
        here = self._people.store.all_here(now, _MOST_HERE)
        records = self._people.store.records([each for each in here if each != player])
        bots = [each for each in records.values() if each["kind"] == "bot" and each.get("accepts")]
        active = [each for each in bots if not is_suspended(each, now)]
        pairs = [(player, each["id"]) for each in active]
        blocked = self._people.store.blocked([*pairs, *((other, one) for one, other in pairs)])
        apart = {each for pair in blocked for each in pair}
        free, left = [], _MOST_READ
        for each in active:
            accepts = each.get("accepts")
            if each["id"] in apart or accepts is None:
                continue
            tables = self._players.tables_of(each["id"])[:left]
            left -= len(tables)
            if not self._is_busy(each["id"], accepts["concurrent"], tables):
                free.append(each)
            if len(free) == MOST_LISTED:
                break
        return free


def _plays_with_others(state: State, player: str) -> bool:
    # A game with AI players alone keeps nobody waiting: a bot that always plays some would never be free.
    others = [seat for seat in starters(state) if seat != seat_of(state, player)]
    # Boards wait for their players; and a refusal that ends with the board would tell that it has been played.
    return state["status"] == "playing" and seat_of(state, player) is not None and bool(others) and not is_board(state)
