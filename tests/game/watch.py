"""Invariants of a table, whatever is done at it."""

import json
from collections import Counter
from typing import Any

from harness.driver import Driver
from service.game.commands.decide import decide_for_ai
from service.game.events.evolve import evolve
from service.game.state import clock
from service.game.state.fallback import fallback_action
from service.game.state.queries import waits_for_people
from service.game.state.rules import composition_of, options_of
from service.game.state.types import State
from service.game.views.hints import hints
from service.rules.cards import counts_of, kinds_in, points_of
from service.rules.options.rulesets import RULESETS, deck_of

#: Kind of decision -> the phases in which it may be open.
PHASES = {
    "declare": {"dealing", "declaring"},
    "defend": {"dealing", "declaring"},
    "discard": {"kitty"},
    "overcall-kitty": {"kitty"},
    "call": {"calling"},
    "road": {"roads"},
    "play": {"playing"},
    "ready": {"scored"},
}


class Watch:
    """Checks a table after every step; expensive checks are done once in every `sampled` steps."""

    def __init__(self, driver: Driver, sampled: int = 1) -> None:
        self.driver = driver
        self.sampled = sampled
        self.folded: State = {}
        self.count = 0
        self.steps = 0
        self.before: tuple[State, str] = ({}, "{}")
        self.tricks: Counter[int] = Counter()
        self.rounds_scored = 0
        driver.on_step = self
        self(driver)

    def __call__(self, driver: Driver) -> None:
        state = driver.state
        self.steps += 1
        self._log(driver)
        self._old_state_untouched(state)
        if state["round"] is not None:
            self._cards(state)
        if state["status"] == "playing":
            self._goes_on(state)

    def _log(self, driver: Driver) -> None:
        """Events have no gaps, fold to the state, and are JSON."""
        for event in driver.log[self.count :]:
            self.count += 1
            assert event["seq"] == self.count
            assert json.loads(json.dumps(event)) == event, event["type"]
            self.folded = evolve(self.folded, event)
            self._points(event)
        assert driver.state["version"] == self.count
        assert self.folded == driver.state

    def _old_state_untouched(self, state: State) -> None:
        old, text = self.before
        if self.steps % self.sampled == 0 or not text:
            assert json.dumps(old) == text, "a state was changed in place"
            text = json.dumps(state)
            assert json.loads(text) == state, "the state is no JSON value"
            self.before = (state, text)

    def _cards(self, state: State) -> None:
        """Each card is in exactly one place, from the shuffle to the last trick."""
        now = state["round"]
        assert min(map(min, (*now["hands"], now["played"]))) >= 0
        cards = [sum(counts) for counts in zip(*now["hands"], now["played"], strict=True)]
        undealt = now["deck"][now["deal"]["count"] : now["deal"]["of"]] if now["deck"] is not None else ()
        for card in (*now["kitty"], *(now["discard"] or ()), *undealt):
            cards[card] += 1
        assert cards == counts_of(deck_of(composition_of(state)))

    def _points(self, event: dict[str, Any]) -> None:
        """Points of tricks and kitty add up to those of the deck, and the attackers get exactly theirs."""
        data = event["data"]
        if event["type"] == "round_opened":
            self.tricks.clear()
        elif event["type"] == "trick_won":
            self.tricks[data["seat"]] += data["points"]
        elif event["type"] == "round_scored" and data["kitty"] is not None:
            state = self.folded
            sides = data["sides"]
            kitty = data["kitty"]
            assert kitty["points"] == points_of(kitty["cards"])
            held = sum(points_of(kinds_in(hand)) for hand in state["round"]["hands"])
            assert self.tricks.total() + kitty["points"] + held == composition_of(state).points
            assert data["reason"] == "throw_failed" or held == 0
            taken = sum(points for seat, points in self.tricks.items() if sides[seat] == "attackers")
            assert data["trick_points"] == taken
            if data["reason"] == "played":
                last = state["round"]["last_trick"]["winner"]
                assert bool(kitty["factor"]) == (sides[last] == "attackers")
                assert kitty["bonus"] == kitty["points"] * kitty["factor"]
                owed = sum(
                    each["points"] if sides[each["seat"]] == "declarers" else -each["points"]
                    for each in data["penalties"]
                )
                total = taken + kitty["bonus"] + owed
                assert data["points"] == (total if options_of(state)["negative_points"] else max(0, total))
            fixed = RULESETS[state["ruleset"]].teams == "fixed"
            assert sides.count("declarers") <= (state["players"] // 2 if fixed else composition_of(state).declarers_max)
            self.rounds_scored += 1

    def _goes_on(self, state: State) -> None:
        """Somebody is asked and can answer, or something is due."""
        decision = state["decision"]
        if decision is not None:
            assert state["round"]["phase"] in PHASES[decision["kind"]]
        wake = clock.wake_at(state)
        asks = decision is not None and decision["seats"]
        assert wake is not None or asks or waits_for_people(state), "the table is stuck"
        if decision is None or decision["kind"] == "ready" or self.steps % self.sampled:
            return
        for seat in decision["seats"]:
            advice = hints(state, seat)
            stand_in = fallback_action(state, seat)
            decide_for_ai(state, seat, stand_in, self.driver.now, self.driver.random.randbytes)
            kind = {"declare": "declare", "defend": "declare", "overcall-kitty": "overcall_kitty"}.get(decision["kind"])
            for cards in advice.get("possible", ()):
                command = {"type": kind, "cards": cards}
                decide_for_ai(state, seat, command, self.driver.now, self.driver.random.randbytes)
            if "example" in advice:
                field = "calls" if decision["kind"] == "call" else "cards"
                command = {"type": decision["kind"], field: advice["example"]}
                decide_for_ai(state, seat, command, self.driver.now, self.driver.random.randbytes)
