"""Drives tables without a store, with random but legal players, for whole rounds and games."""

import copy
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from service.common.errors import IllegalPlay, Refusal
from service.game.commands.creation import create_table
from service.game.commands.decide import catch_up, decide, decide_for_ai
from service.game.commands.round.kitty import may_reinforce
from service.game.commands.transaction import Decided
from service.game.events.types import Event
from service.game.state import clock
from service.game.state.rules import (
    composition_of,
    declare_context,
    lead_of,
    options_of,
    ranking_of,
    rules_of,
    unseen_by,
)
from service.game.state.types import State
from service.game.views import hints
from service.rules.cards import CARDS, kinds_in, names_of
from service.rules.options.constraints import may_ask_redeal
from service.rules.rounds import arms_length
from service.rules.rounds.declarations import outcome, possible
from service.rules.rounds.friends import breach
from service.rules.rounds.redeals import may_redeal


class Driver:
    """A table with a bot on every seat, its log, and a clock advanced by the caller."""

    def __init__(
        self,
        ruleset: str,
        players: int,
        options: Mapping[str, Any] | None = None,
        *,
        seed: int = 0,
        clock_settings: Mapping[str, Any] | None = None,
        practice: str | None = None,
        ai: Iterable[int] = (),
        start: bool = True,
        kind: str = "bot",
        **spec: Any,
    ) -> None:
        self.random = random.Random(seed)
        self.now = 1_700_000_000_000
        self.log: list[Event] = []
        self.state: State = {}
        self.on_step: Callable[[Driver], None] | None = None
        self.throws = 0.0
        settings = {"deal_pace": "instant", **(options or {})} if ruleset != "arms_length" else dict(options or {})
        table = {
            "ruleset": ruleset,
            "players": players,
            "options": settings,
            "clock": dict(clock_settings or {}),
            "visibility": "public",
            "seed": practice,
        }
        self._take(create_table("tb_test", "p0", {**table, **spec}, self.now, self.random.randbytes))
        seats = [seat for seat in range(players) if seat not in ai]
        for seat in seats if start else ():
            self.do(seat, type="sit", kind=kind, name=f"Bot {seat}", seat=seat)
        for seat in ai:
            self.do(0, type="seat_ai", seat=seat, level="easy")
        for seat in seats if start else ():
            self.do(seat, type="ready")

    def _take(self, decided: Decided) -> Decided:
        self.log += decided.events
        self.state = decided.state
        if self.on_step is not None:
            self.on_step(self)
        return decided

    def do(self, seat: int, /, **command: Any) -> Decided:
        """Carry out a command of a seat; actions answer the open decision unless they name another."""
        decision = self.state["decision"]
        if decision is not None:
            command.setdefault("decision_id", decision["id"])
        return self._take(decide(self.state, {"player": f"p{seat}", **command}, self.now, self.random.randbytes))

    def ai(self, seat: int, /, **command: Any) -> Decided:
        """Carry out a command of the AI of a seat."""
        return self._take(decide_for_ai(self.state, seat, command, self.now, self.random.randbytes))

    def refused(self, error: type[Refusal], seat: int, /, **command: Any) -> Refusal:
        """Check that a command is refused and does not change the table."""
        before = copy.deepcopy(self.state)
        try:
            self.do(seat, **command)
        except error as refusal:
            assert type(refusal) is error, f"{refusal!r}, not {error.__name__}"
            assert self.state == before, "a refused command has changed the table"
            return refusal
        raise AssertionError(f"not refused with {error.__name__}: {command}")

    @property
    def decision(self) -> dict[str, Any]:
        """The open decision."""
        assert self.state["decision"] is not None
        decision: dict[str, Any] = self.state["decision"]
        return decision

    @property
    def active_seat(self) -> int:
        """The first seat that the open decision asks."""
        return int(self.decision["seats"][0])

    def play_until(self, reached: Callable[[State], Any], most_steps: int = 5_000) -> None:
        """Let the seats decide randomly until a condition holds."""
        for _ in range(most_steps):
            if reached(self.state):
                return
            self.step()
        raise AssertionError("it never came to that")

    def wait(self, milliseconds: int) -> Decided:
        """Let time pass, and do what is due by the clock."""
        self.now += milliseconds
        return self._take(catch_up(self.state, self.now, self.random.randbytes))

    def step(self) -> None:
        """Answer the open decision randomly but legally; if nobody is asked, let time pass."""
        decision = self.state["decision"]
        passes = self.state["round"]["passes"] if decision and decision["kind"] == "declare" else []
        left = [seat for seat in decision["seats"] if seat not in passes] if decision else []
        if left and self._reinforces_unasked():
            return
        if left:
            seat = self.random.choice(left)
            self.do(seat, **self.choice(seat))
            return
        at = clock.wake_at(self.state)
        assert at is not None, "nobody is asked and nothing is due: the table is stuck"
        self.wait(max(0, at - self.now))

    def choice(self, seat: int) -> dict[str, Any]:
        """Return a random legal command for the seat."""
        command: dict[str, Any] = getattr(self, "_" + self.decision["kind"].replace("-", "_"))(seat)
        return command

    def hand(self, seat: int) -> list[int]:
        """Return the counts of a hand."""
        hand: list[int] = self.state["round"]["hands"][seat]
        return hand

    def _ready(self, _: int) -> dict[str, Any]:
        return {"type": "ready"}

    def _declaration(self, seat: int, command: str) -> dict[str, Any]:
        sets = hints.hints(self.state, seat)["possible"]
        if sets and self.random.random() < 0.6:
            return {"type": command, "cards": self.random.choice(sets)}
        return {"type": "pass"}

    def _declare(self, seat: int) -> dict[str, Any]:
        if self._may_redeal(seat) and self.random.random() < 0.7:
            return {"type": "redeal"}
        return self._declaration(seat, "declare")

    def _may_redeal(self, seat: int) -> bool:
        table_round, options = self.state["round"], options_of(self.state)
        if table_round["phase"] != "declaring" or not may_ask_redeal(options):
            return False
        maker = outcome(declare_context(self.state), table_round["shown"])
        return may_redeal(options, maker[1] if maker else None, self.hand(seat), table_round["deal"]["attempt"])

    def _defend(self, seat: int) -> dict[str, Any]:
        return self._declaration(seat, "declare")

    def _overcall_kitty(self, seat: int) -> dict[str, Any]:
        return self._declaration(seat, "overcall_kitty")

    def _reinforces_unasked(self) -> bool:
        """Occasionally let the standing seat reinforce, if possible; return whether it did."""
        seat = next((seat for seat in range(self.state["players"]) if may_reinforce(self.state, seat)), None)
        if seat is None or self.random.random() < 0.3:
            return False
        declarations, context = self.state["round"]["shown"], declare_context(self.state)
        sets = possible(context, declarations, seat, self.hand(seat), may_defend=True)
        longer = [cards for cards in sets if cards[0] == declarations[-1]["cards"][0]]
        if longer:
            self.do(seat, type="overcall_kitty", cards=names_of(longer[0]))
        return bool(longer)

    def _discard(self, seat: int) -> dict[str, Any]:
        cards = self.random.sample(kinds_in(self.hand(seat)), composition_of(self.state).kitty)
        may_reveal = options_of(self.state)["kitty_reveal"] and seat == self.state["round"]["declarer"]
        reveal = may_reveal and self.random.random() < 0.5
        return {"type": "discard", "cards": names_of(cards), "reveal": reveal}

    def _call(self, seat: int) -> dict[str, Any]:
        state = self.state
        cards, order, options = composition_of(state), ranking_of(state), options_of(state)
        kinds = [kind for kind, copies in enumerate(cards.copies) if copies]
        kinds = [kind for kind in kinds if not breach(kind, order, options["call_cards"])]
        copies = [{"card": CARDS[kind], "ordinal": at} for kind in kinds for at in range(1, cards.copies[kind] + 1)]
        held = [kind for kind in kinds if self.hand(seat)[kind] == 1]
        if options["call_other_copy"] and held and self.random.random() < 0.5:
            other = self.random.choice(held)
            copies = [call for call in copies if call["card"] != CARDS[other]]
            calls: list[dict[str, Any]] = [{"card": CARDS[other], "other": True}]
            return {"type": "call", "calls": [*calls, *self.random.sample(copies, cards.calls - 1)]}
        return {"type": "call", "calls": self.random.sample(copies, cards.calls)}

    def _road(self, _: int) -> dict[str, Any]:
        return {"type": "road", "road": self.random.choice(arms_length.ROADS)}

    def _play(self, seat: int) -> dict[str, Any]:
        return {"type": "play", "cards": names_of(self.play(seat))}

    def play(self, seat: int) -> list[int]:
        """Return a random legal play; `throws`: share of leads with several cards of a suit."""
        table_round = self.state["round"]
        hand = table_round["hands"][seat]
        trick = table_round["trick"]
        if table_round["roads"] is not None:
            trump = table_round["trump"]["suit"] if table_round["trump"] else None
            before = [play["cards"][0] for play in trick["plays"]] if trick else []
            return [self.random.choice(arms_length.legal(trump, before, hand))]
        rules = rules_of(self.state)
        if trick is None and self.random.random() < self.throws:
            suit = [kind for kind in self.random.choice(rules.order.groups) for _ in range(hand[kind])]
            cards = self.random.sample(suit, self.random.randint(1, min(4, len(suit)))) if suit else []
            if self._may_lead(seat, cards):
                return cards
        lead = lead_of(rules, trick) if trick else None
        return list(rules.random_play(hand, lead, self.random))

    def _may_lead(self, seat: int, cards: list[int]) -> bool:
        try:
            rules_of(self.state).lead(cards, unseen=unseen_by(self.state, seat))
        except IllegalPlay:
            return False
        return True

    def rounds(self, count: int, *, most_steps: int = 100_000) -> Iterator[State]:
        """Play a number of rounds (fewer if the game ends), yielding the state when each is scored."""
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
