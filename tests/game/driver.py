"""Drives tables without a store: random but legal players, for whole rounds and games."""

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from service.game import clock, dealing, defaults, playing
from service.game.creation import create_table
from service.game.decide import Decided, catch_up, decide
from service.game.state import Event, State, composition_of
from service.rules.cards import kinds_in, names_of
from service.rules.declarations import possible


class Driver:
    """A table with a bot on every seat, its log, and a clock that the test moves."""

    def __init__(
        self,
        ruleset: str,
        players: int,
        options: Mapping[str, Any] | None = None,
        *,
        seed: int = 0,
        clock_settings: Mapping[str, Any] | None = None,
        practice: str | None = None,
    ) -> None:
        self.random = random.Random(seed)
        self.now = 1_700_000_000_000
        self.log: list[Event] = []
        self.state: State = {}
        self.on_step: Callable[[Driver], None] | None = None
        given = {"deal_pace": "instant", **(options or {})} if ruleset != "arms_length" else dict(options or {})
        spec = {
            "ruleset": ruleset,
            "players": players,
            "options": given,
            "clock": dict(clock_settings or {}),
            "visibility": "public",
            "seed": practice,
        }
        self._take(create_table("tb_test", "p0", spec, self.now, self.random.randbytes))
        for seat in range(players):
            self.do(seat, type="sit", kind="bot", name=f"Bot {seat}", seat=seat)
        for seat in range(players):
            self.do(seat, type="ready")

    def _take(self, decided: Decided) -> Decided:
        self.log += decided.events
        self.state = decided.state
        if self.on_step is not None:
            self.on_step(self)
        return decided

    def do(self, seat: int, /, **command: Any) -> Decided:
        """Do a command for a seat; actions answer the open decision unless they name another."""
        decision = self.state["decision"]
        if decision is not None:
            command.setdefault("decision_id", decision["id"])
        return self._take(decide(self.state, {"player": f"p{seat}", **command}, self.now, self.random.randbytes))

    def wait(self, milliseconds: int) -> Decided:
        """Let time pass, and do what the clock owes then."""
        self.now += milliseconds
        return self._take(catch_up(self.state, self.now, self.random.randbytes))

    def step(self) -> None:
        """Answer the open decision at random, but legally."""
        decision = self.state["decision"]
        if decision is None:
            at = clock.wake_at(self.state)
            assert at is not None, "nobody is asked and nothing is due: the table is stuck"
            self.wait(max(0, at - self.now))
            return
        passes = self.state["round"]["passes"] if decision["kind"] == "declare" else []
        left = [seat for seat in decision["seats"] if seat not in passes]
        if not left:
            at = clock.wake_at(self.state)
            assert at is not None
            self.wait(max(0, at - self.now))
            return
        seat = self.random.choice(left)
        self.do(seat, **self.choice(seat))

    def choice(self, seat: int) -> dict[str, Any]:
        """Return a random legal command for the seat."""
        state = self.state
        kind = state["decision"]["kind"]
        rng = self.random
        table_round = state["round"]
        hand = table_round["hands"][seat]
        if kind == "ready":
            return {"type": "ready"}
        if kind in ("declare", "defend"):
            context = dealing.context_of(state)
            sets = possible(context, table_round["shown"], seat, hand, may_defend=kind == "defend")
            if kind == "defend":
                sets = [
                    cards
                    for cards in sets
                    if dealing.judge(context, table_round["shown"], seat, cards, may_defend=True) == "defend"
                ]
            if sets and rng.random() < 0.6:
                return {"type": "declare", "cards": names_of(rng.choice(sets))}
            return {"type": "pass"}
        if kind == "overcall-kitty":
            return self._overcall(seat)
        if kind == "discard":
            cards = rng.sample(kinds_in(hand), composition_of(state).kitty)
            reveal = bool(state["options"]["kitty_reveal"]) and rng.random() < 0.5
            return {"type": "discard", "cards": names_of(cards), "reveal": reveal}
        if kind == "call":
            return {"type": "call", "calls": defaults.plain_calls(state, seat)}
        if kind == "road":
            return {"type": "road", "road": rng.choice(["high", "low", "either"])}
        return {"type": "play", "cards": names_of(self.play(seat))}

    def _overcall(self, seat: int) -> dict[str, Any]:
        from service.errors import IllegalDeclaration
        from service.rules.declarations import chao_suit

        table_round = self.state["round"]
        standing = table_round["overcalls"]["standing"]
        hand = table_round["hands"][seat]
        for kind in self.random.sample(range(54), 54):
            if hand[kind] >= 2:
                try:
                    chao_suit(
                        self.state["options"],
                        table_round["trump"]["rank"],
                        standing["cards"] if standing else [],
                        [kind, kind],
                    )
                except IllegalDeclaration:
                    continue
                return {"type": "overcall_kitty", "cards": names_of([kind, kind])}
        return {"type": "pass"}

    def play(self, seat: int) -> list[int]:
        """Return a random legal play."""
        table_round = self.state["round"]
        hand = table_round["hands"][seat]
        trick = table_round["trick"]
        if table_round["roads"] is not None:
            from service.rules import arms_length

            trump = table_round["trump"]["suit"] if table_round["trump"] else None
            before = [play["cards"][0] for play in trick["plays"]] if trick else []
            return [self.random.choice(arms_length.legal(trump, before, hand))]
        rules = playing.rules_of(self.state)
        lead = playing.lead_of(rules, trick) if trick else None
        return list(rules.random_play(hand, lead, self.random))

    def rounds(self, count: int, *, most_steps: int = 100_000) -> Iterator[State]:
        """Play so many rounds (fewer if the game ends), yielding the state when each is scored."""
        for _ in range(most_steps):
            scored = self.state["round"] is not None and self.state["round"]["phase"] == "scored"
            if scored:
                yield self.state
                count -= 1
            if count == 0 or self.state["status"] == "finished":
                return
            before = self.state["game"]["round"]
            self.step()
            while scored and self.state["game"]["round"] == before and self.state["status"] == "playing":
                self.step()
        raise AssertionError("too many steps: the game does not get on")
