"""Random commands of people at a table other than plays, chosen from those that are possible at the moment."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from harness.driver import Driver
from service.common.errors import Refusal
from service.game.commands.table.votes import COOL_DOWN_MS
from service.game.state import clock
from service.game.state.queries import ai_level, game_of, is_between_rounds, is_gone, starters, waited_for
from service.game.state.take_backs import may_take_back
from service.rules.games import ARMS_LENGTH

#: Relative frequency of commands: what needs the consent of several would otherwise hardly happen.
WEIGHTS: Final = {"answer_take_back": 12, "cast_vote": 6, "open_vote": 2, "presence": 0.3, "leave": 0.1}

#: Number of a player, and a command.
Offer = tuple[int, dict[str, Any]]


class Mix:
    """A table that is played, with other commands in between.

    Attributes:
        accepted, refused: how often, by type of command.
    """

    def __init__(self, driver: Driver, seed: int) -> None:
        self.driver = driver
        self.random = random.Random(seed)
        self.accepted: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self._newcomers = iter(range(100, 200))

    def step(self, noise: float) -> None:
        """Do one of the offers with a probability of `noise` (more between rounds and in pauses), else play on."""
        offers = list(self.offers())
        if is_between_rounds(self.driver.state) or "pause" in self.driver.state:
            noise *= 3
        if not offers or self.random.random() >= noise:
            self._play()
            return
        # Choose the type first, then the player: else what many may do would happen most.
        kinds = sorted({command["type"] for _, command in offers})
        (kind,) = self.random.choices(kinds, [WEIGHTS.get(kind, 1) for kind in kinds])
        player, command = self.random.choice([offer for offer in offers if offer[1]["type"] == kind])
        try:
            self.driver.do(player, **command)
        except Refusal:
            self.refused[kind] += 1
        else:
            self.accepted[kind] += 1

    def _player(self, seat: int) -> int | None:
        """Return the number of the player on a seat, or None for nobody or an AI player."""
        occupant = self.driver.state["seats"][seat]["occupant"]
        return int(occupant["player"][1:]) if occupant and occupant["player"] else None

    def _play(self) -> None:
        """Answer the open decision; if nobody is asked, let time pass until something is due."""
        driver = self.driver
        seats = waited_for(driver.state)
        if not seats:
            at = clock.wake_at(driver.state)
            if at is not None:
                driver.wait(max(0, at - driver.now))
                return
            # AI players have taken over all seats; the next round begins when a player comes back.
            assert is_between_rounds(driver.state), "nobody is asked and nothing is due: the table is stuck"
            self._come_back()
            return
        seat = self.random.choice(seats)
        player = self._player(seat)
        if player is not None and ai_level(driver.state, seat) is None:
            driver.do(player, **driver.choice(seat))
        elif ai_level(driver.state, seat) is not None and driver.decision["kind"] != "ready":
            driver.ai(seat, **driver.choice(seat))
        else:
            driver.wait(30_000)

    def _come_back(self) -> None:
        seat = self.random.choice(self.driver.decision["seats"])
        player = self._player(seat)
        assert player is not None
        self.driver.do(player, type="resume" if ai_level(self.driver.state, seat) else "ready")

    # --- possible commands ----------------------------------------------------------------------------------------

    def offers(self) -> Iterator[Offer]:
        """Yield the commands that somebody may give now."""
        state = self.driver.state
        if state["status"] != "playing":
            return
        for seat in starters(state):
            player, place = self._player(seat), state["seats"][seat]
            assert player is not None
            # The host never leaves, which keeps the table alive.
            if place["presence"] != "gone":
                yield player, {"type": "presence", "presence": "away" if place["presence"] == "online" else "online"}
            if player and place["presence"] == "online" and not place["autopilot"]:
                yield player, {"type": "leave"}
            if place["autopilot"]:
                yield player, {"type": "resume"}
            yield from self._votes(seat, player)
            if "pause" in state:
                yield player, {"type": "end_pause"}
            elif not place["autopilot"]:
                yield from self._take_backs(seat, player)
        yield from self._claims()
        if is_between_rounds(state) and state["vote"] is None and "pause" not in state:
            yield from self._between()

    def _votes(self, seat: int, player: int) -> Iterator[Offer]:
        state, vote = self.driver.state, self.driver.state["vote"]
        if vote is not None:
            # Votes to replace somebody pass only now and then.
            approve = vote["kind"] == "pause" or self.random.random() < 0.3
            yield player, {"type": "cast_vote", "vote": vote["id"], "approve": approve}
            return
        if state["seats"][seat].get("vote_lost_at", 0) + COOL_DOWN_MS > self.driver.now:
            return
        if "pause" not in state and game_of(state).get("paused_ms", 0) < state["settings"].get("pause_limit_ms", 0):
            yield player, {"type": "open_vote", "kind": "pause"}
        for other in starters(state):
            if other != seat and state["seats"][other]["presence"] != "online" and ai_level(state, other) is None:
                yield player, {"type": "open_vote", "kind": "replace", "seat": other}

    def _take_backs(self, seat: int, player: int) -> Iterator[Offer]:
        table_round = self.driver.state["round"]
        if table_round is None or table_round["phase"] != "playing":
            return
        request = table_round["take_back"]
        if request is None and may_take_back(table_round, seat):
            yield player, {"type": "take_back"}
        elif request is not None and seat != request["seat"] and seat not in request["accepted"]:
            yield player, {"type": "answer_take_back", "accept": self.random.random() < 0.9}

    def _claims(self) -> Iterator[Offer]:
        state, decision = self.driver.state, self.driver.state["decision"]
        if decision is None or decision["kind"] != "play" or state["ruleset"] == ARMS_LENGTH:
            return
        seat, table_round = decision["seats"][0], state["round"]
        player = self._player(seat)
        if player is not None and not table_round["trick"] and seat not in table_round.get("claims", ()):
            yield player, {"type": "claim"}

    def _between(self) -> Iterator[Offer]:
        state = self.driver.state
        host = int(state["host"][1:])
        for seat, place in enumerate(state["seats"]):
            occupant = place["occupant"]
            may_go = occupant is None or occupant["kind"] == "ai" or is_gone(state, seat, self.driver.now)
            if may_go and self._player(seat) != host:
                yield next(self._newcomers), {"type": "sit", "kind": "human", "name": "N", "seat": seat}
                if occupant is not None:
                    yield host, {"type": "kick", "seat": seat}
            if occupant is None or occupant["kind"] == "ai":
                yield host, {"type": "seat_ai", "seat": seat, "level": self.random.choice(["easy", "normal"])}
        changes = self.random.choice([
            {"clock": {"play_ms": self.random.randint(5, 60) * 1_000}},
            {"ai_pace_ms": self.random.randint(0, 5_000)},
            {"takeover_level": self.random.choice(["easy", "normal"])},
        ])  # fmt: skip
        yield host, {"type": "settings", "changes": changes, "version": state["version"]}
