"""Speed of the game state machine: whole rounds through decide and evolve, compared with only the rules.

Run `python -m bench.bench_game`, or `… --profile` for a profile. Figures are CPU time of one core; machines differ, so
look at the ratios first. Random plays use a fixed seed.
"""

import cProfile
import gc
import json
import pstats
import statistics
import sys
from collections.abc import Sequence
from random import Random
from time import perf_counter, process_time
from typing import Any

from bench import least, report
from bench.bench_rules import bench_rounds
from bench.bench_rules import least as least_of_rules
from service.game.commands.creation import create_table
from service.game.commands.decide import decide, decide_for_ai
from service.game.commands.transaction import Decided
from service.game.events.evolve import evolve
from service.game.state.rules import composition_of, lead_of, rules_of
from service.game.state.types import State
from service.game.views.redaction import redact
from service.game.views.view import view
from service.rules.cards import CARDS, kinds_in, names_of

SEED = 1
NOW = 1_700_000_000_000


def table(random: Random) -> State:
    """Return a table of four AI seats at which the first cards have been dealt."""
    spec = {"ruleset": "shengji", "players": 4, "options": {"deal_pace": "instant"}}
    state = create_table("tb_bench", "host", spec, NOW, random.randbytes).state
    for seat in range(4):
        command = {"type": "seat_ai", "player": "host", "seat": seat, "level": "easy"}
        state = decide(state, command, NOW, random.randbytes).state
    return state


def choice(state: State, seat: int, random: Random) -> dict[str, Any]:
    """Return a random legal command, found as cheaply as possible."""
    table_round = state["round"]
    kind, hand = state["decision"]["kind"], table_round["hands"][seat]
    if kind == "play":
        rules, trick = rules_of(state), table_round["trick"]
        lead = lead_of(rules, trick) if trick else None
        return {"type": "play", "cards": names_of(rules.random_play(hand, lead, random))}
    if kind == "declare":
        held = [name for name, count in zip(CARDS, hand, strict=True) if count and name[0] == table_round["level"]]
        return {"type": "pass"} if table_round["shown"] or not held else {"type": "declare", "cards": held[:1]}
    assert kind == "discard"
    return {"type": "discard", "cards": names_of(random.sample(kinds_in(hand), composition_of(state).kitty))}


def play(rounds: int, outcomes: list[Decided] | None = None) -> float:
    """Play a number of rounds; return rounds per second. `outcomes` collects the result of every action."""
    random = Random(SEED)
    played = 0
    start = process_time()
    state = table(random)
    while played < rounds:
        seat = state["decision"]["seats"][0]
        decided = decide_for_ai(state, seat, choice(state, seat, random), NOW, random.randbytes)
        if outcomes is not None:
            outcomes.append(decided)
        if decided.state["game"]["round"] != state["game"]["round"] or decided.state["status"] == "finished":
            played += 1
        state = decided.state if decided.state["status"] == "playing" else table(random)
    return rounds / (process_time() - start)


def microseconds(call: Any, times: int) -> float:
    start = process_time()
    for at in range(times):
        call(at)
    return (process_time() - start) / times * 1e6


def parts(rounds: int) -> dict[str, float]:
    """Return the microseconds per round of each kind of action."""
    choosing, inside, ends, between = "choosing a play", "plays inside a trick", "ends of tricks", "from round to round"
    spent = dict.fromkeys((choosing, inside, ends, between, "declaring and discarding"), 0.0)
    random, played = Random(SEED), 0
    state = table(random)
    while played < rounds:
        seat, kind = state["decision"]["seats"][0], state["decision"]["kind"]
        began = perf_counter()
        command = choice(state, seat, random)
        chosen = perf_counter()
        decided = decide_for_ai(state, seat, command, NOW, random.randbytes)
        done = perf_counter()
        types = {event["type"] for event in decided.events}
        over = "round_ended" in types
        part = inside if kind == "play" else "declaring and discarding"
        spent[between if over else ends if "trick_won" in types else part] += done - chosen
        spent[choosing] += chosen - began
        played += over
        state = decided.state if decided.state["status"] == "playing" else table(random)
    return {name: seconds / rounds * 1e6 for name, seconds in spent.items()}


def profile() -> None:
    """Print a profile of a few hundred rounds."""
    profiler = cProfile.Profile()
    profiler.runcall(play, 300)
    pstats.Stats(profiler, stream=sys.stdout).sort_stats("tottime").print_stats(22)


def main() -> None:
    if "--profile" in sys.argv:
        profile()
        return
    play(20)
    gc.collect()
    gc.freeze()
    through, alone = [], []
    for _ in range(7):
        through.append(play(150))
        alone.append(bench_rounds(300))
    report.table(
        ("random legal rounds of shengji a second", "best", "median"),
        (
            (name, f"{max(runs):.0f}", f"{statistics.median(runs):.0f}")
            for name, runs in (("through decide and evolve", through), ("rules alone, same run", alone))
        ),
    )
    outcomes: list[Decided] = []
    play(20, outcomes)
    states = [outcome.state for outcome in outcomes]
    plays = [state for state in states if state["decision"] and state["decision"]["kind"] == "play"]
    show_floor(plays)
    show_parts()
    show_calls(outcomes, plays)
    report.table(
        ("bytes as JSON, largest", "each"),
        (
            ("state", f"{max(len(json.dumps(state)) for state in states[::97]):,}"),
            ("view", f"{max(len(json.dumps(view(state, 0, NOW))) for state in plays[::97]):,}"),
        ),
    )
    report.aim("random legal rounds of shengji a second through decide and evolve", max(through), at_least=2_000)


def show_floor(plays: Sequence[State]) -> None:
    """Print the least that a round takes; `plays` are states in which a play is asked for."""
    size, random = len(plays), Random(SEED)
    floor = {
        "choosing 100 cards and a winner of each trick, without rules": list(least_of_rules().values())[-1],
        "events of 100 plays, and copies of what they change": 100
        * min(microseconds(lambda at: least.record(plays[at], random), size) for _ in range(7)),
    }
    floor["both"] = sum(floor.values())
    report.table(
        ("the least that a round takes in plain Python", "µs", "rounds a second"),
        ((name, f"{spent:.0f}", f"{1e6 / spent:,.0f}") for name, spent in floor.items()),
    )


def show_parts() -> None:
    """Print where the time of a round goes."""
    spent = min((parts(100) for _ in range(3)), key=lambda each: sum(each.values()))
    whole = sum(spent.values())
    report.table(
        ("where the time of a round goes", "µs", "share"),
        ((name, f"{spent[name]:.0f}", f"{100 * spent[name] / whole:.0f} %") for name in spent),
    )


def show_calls(outcomes: Sequence[Decided], plays: Sequence[State]) -> None:
    """Print what a view, an event for a seat and a step of the fold take."""
    size = len(plays)
    before = [(state, state["decision"]["seats"][0]) for state in plays]
    log = [event for outcome in outcomes for event in outcome.events]
    lead = next(at for at, outcome in enumerate(outcomes) if outcome.events[0]["type"] == "played")
    following = [(outcomes[at].state, outcomes[at + 1].events[0]) for at in range(lead, lead + 90)]
    report.table(
        ("µs, mean", "each"),
        (
            ("view of a seat", f"{microseconds(lambda at: view(*before[at], NOW), size):.1f}"),
            ("an event for a seat", f"{microseconds(lambda at: redact(log[at], 0, 'shengji'), size):.1f}"),
            ("evolve of a play", f"{microseconds(lambda at: evolve(*following[at % 90]), size):.1f}"),
        ),
    )


if __name__ == "__main__":
    main()
