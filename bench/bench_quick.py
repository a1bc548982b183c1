"""Quick play: waiting times and quality of matches, and the cost of matching in Redis.

    python -m bench.bench_quick [--hours 12] [--tickets 1000]

People arrive randomly, 1, 6 and 60 per minute, and want the same game for four. A tenth come as a party of two friends.
A fifth are new players; the others have ratings around 10, 20 and 30. Each has blocked one in fifty of earlier players.
One in twenty does not confirm: most of them have closed the page, the rest just do nothing. Confirming takes 0.2 to 2
s. Time is simulated: the clock matches every half second with the function of the service. The baseline, in the same
run with the same people, is a queue: the next four in order play, regardless of who they are, and after `ai_after_s` AI
players take the remaining seats.

Then a number of tickets wait in a real Redis, and the clock matches all of them at once.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench import report
from bench.servers import percentile
from service.matchmaking import groups as matching
from service.matchmaking.quick_play import ABSENT_MS, CONFIRM_MS, GONE_MS, QuickPlay
from service.people.people import People
from service.processes.embedded_redis import EmbeddedRedis
from service.store.connections.clients import command_client
from service.store.matchmaking.tickets import Kind, Match, Ticket, TicketStore
from service.store.players.inbox import InboxStore
from service.store.players.people import PeopleStore
from service.store.players.results import ResultStore
from service.store.stores import Stores
from workers.matching import EVERY_S

AI_AFTER_MS: Final = 20_000
KIND: Final[Kind] = {"ruleset": "shengji", "players": 4, "preset": None, "clock": "normal"}
RATES: Final = (1, 6, 60)
EVERY_MS: Final = int(EVERY_S * 1000)


class Person(NamedTuple):
    """A simulated person: strength, and behaviour in a match. `gone_at`: when the page is closed (ms)."""

    name: str
    strength: float
    confirms_in_ms: int | None
    gone_at: float


class Arrival(NamedTuple):
    """People who want to play together, and their ticket."""

    people: list[Person]
    ticket: Ticket


def arrivals(rate: int, hours: float, seed: int) -> list[Arrival]:
    """Return the arrivals of a number of hours, with a rate of tickets per minute."""
    chance, arrived, at = random.Random(f"{seed} {rate}"), list[Arrival](), 0.0
    while (at := at + chance.expovariate(rate / 60_000)) < hours * 3_600_000:
        people, ratings = list[Person](), list[float | None]()
        for _ in range(2 if chance.random() < 0.1 else 1):
            strength = chance.choice((10.0, 20.0, 30.0)) + chance.gauss(0, 1.5)
            ratings.append(None if chance.random() < 0.2 else strength)
            shows = chance.random() >= 0.05
            gone = at + chance.uniform(0, AI_AFTER_MS) if not shows and chance.random() < 0.8 else float("inf")
            confirms = chance.randint(200, 2_000) if shows else None
            people.append(Person(f"p{len(arrived)}.{len(people)}", strength, confirms, gone))
        # Only among those who might be met now.
        blocks = [other.people[0].name for other in arrived[-50:] if chance.random() < 0.02]
        ticket: Ticket = {
            "id": f"t{len(arrived)}",
            "kind": KIND,
            "players": [person.name for person in people],
            "ratings": ratings,
            "window": (None, None),
            "blocks": blocks,
            "met": [],
            "since": int(at),
            "ai_after_ms": AI_AFTER_MS,
            "ai_level": "normal",
        }
        arrived.append(Arrival(people, ticket))
    return arrived


class Outcome:
    """The outcome of a simulation.

    Attributes:
        matched: waiting times for the first match of all who stayed (ms).
        played: waiting times for the game (ms).
        games: people of each game.
    """

    def __init__(self) -> None:
        self.matched: list[float] = []
        self.played: list[float] = []
        self.games: list[list[Arrival]] = []


Choose = Callable[[Sequence[Ticket], int], Iterable[Sequence[Ticket]]]


def by_the_service(waiting: Sequence[Ticket], now: int) -> Iterable[Sequence[Ticket]]:
    """Choose like the service."""
    return [group.tickets for group in matching.groups(waiting, now)]


def first_come(waiting: Sequence[Ticket], now: int) -> Iterable[Sequence[Ticket]]:
    """Choose the next four in order."""
    group, size = list[Ticket](), 0
    for ticket in waiting:
        if size + len(ticket["players"]) > KIND["players"]:
            yield group
            group, size = [], 0
        group, size = [*group, ticket], size + len(ticket["players"])
        if size == KIND["players"]:
            yield group
            group, size = [], 0
    if group and now - group[0]["since"] >= AI_AFTER_MS:
        yield group


def simulate(people: Sequence[Arrival], choose: Choose) -> Outcome:
    """Simulate arrivals, matches and confirmations."""
    hall, ahead, now = Hall(people), [each.ticket for each in reversed(people)], 0
    while ahead or hall.waiting or hall.pending:
        now += EVERY_MS
        while ahead and ahead[-1]["since"] <= now:
            hall.waiting.append(ahead.pop())
        hall.end(now)
        for group in map(list, choose(hall.present(now), now)):
            hall.match(group, now)
    return hall.outcome


class Hall:
    """Who waits, and matches that are not confirmed yet: (when that is decided (ms), tickets)."""

    def __init__(self, people: Sequence[Arrival]) -> None:
        self.outcome, self._of = Outcome(), {each.ticket["id"]: each for each in people}
        self.waiting: list[Ticket] = []
        self.pending: list[tuple[int, list[Ticket]]] = []
        self._told = set[str]()

    def _people(self, ticket: Ticket) -> Sequence[Person]:
        return self._of[ticket["id"]].people

    def end(self, now: int) -> None:
        """End the matches that are due: with a game, or by putting those back who have confirmed."""
        for due, group in [each for each in self.pending if each[0] <= now]:
            self.pending.remove((due, group))
            late = [ticket for ticket in group if any(one.confirms_in_ms is None for one in self._people(ticket))]
            if late:
                self.waiting += [ticket for ticket in group if ticket not in late]
                self.waiting.sort(key=lambda ticket: ticket["since"])
            else:
                self.outcome.games.append([self._of[ticket["id"]] for ticket in group])
                self.outcome.played += [due - ticket["since"] for ticket in group for _ in ticket["players"]]

    def present(self, now: int) -> list[Ticket]:
        """Remove those who have gone for good; return those of the others who have not just gone."""
        away = {ticket["id"]: now - self._people(ticket)[0].gone_at for ticket in self.waiting}
        self.waiting = [ticket for ticket in self.waiting if away[ticket["id"]] < GONE_MS]
        return [ticket for ticket in self.waiting if away[ticket["id"]] < ABSENT_MS]

    def match(self, group: list[Ticket], now: int) -> None:
        """Match tickets; the match is decided when the last of their people answers."""
        self.waiting = [ticket for ticket in self.waiting if ticket not in group]
        for ticket in group:
            if ticket["id"] not in self._told and self._people(ticket)[0].gone_at > now:
                self._told.add(ticket["id"])
                self.outcome.matched += [now - ticket["since"]] * len(ticket["players"])
        answers = [person.confirms_in_ms for ticket in group for person in self._people(ticket)]
        latest = CONFIRM_MS if None in answers else max(each for each in answers if each is not None)
        self.pending.append((now + latest, group))


def row(rate: int, name: str, outcome: Outcome) -> list[str]:
    """Return a row of the table."""
    differences, blocked = list[float](), 0
    for game in outcome.games:
        rated = [rating for each in game for rating in each.ticket["ratings"] if rating is not None and len(game) > 1]
        differences += [abs(one - other) for one, other in combinations(rated, 2)]
        names = {name for each in game for name in each.ticket["players"]}
        blocked += any(names & {*each.ticket["blocks"]} for each in game)
    people = [sum(len(each.people) for each in game) for game in outcome.games]
    return [
        f"{rate}, {name}",
        f"{len(outcome.games):,}",
        *(f"{percentile(outcome.matched, percent) / 1000:.1f}" for percent in (50, 95)),
        f"{percentile(outcome.played, 95) / 1000:.1f}",
        f"{statistics.median(differences) if differences else 0:.1f}",
        f"{100 * sum(count > 1 for count in people) / len(people):.0f} %",
        f"{statistics.mean(people):.2f}",
        f"{blocked}",
    ]


def waits(hours: float) -> None:
    """Print the waiting times."""
    rows, worst = list[list[str]](), 0.0
    for rate in RATES:
        people = arrivals(rate, hours, seed=1)
        for name, choose in (("service", by_the_service), ("first come", first_come)):
            outcome = simulate(people, choose)
            rows.append(row(rate, name, outcome))
            if choose is by_the_service:
                worst = max(worst, percentile(outcome.matched, 95) / 1000)
    heads = (
        "a minute",
        "games",
        "matched p50 s",
        "p95 s",
        "plays p95 s",
        "rating diff.",
        "2 people +",
        "people",
        "blocked",
    )
    report.table(heads, rows)
    report.aim("wait for a match at p95, s", worst, at_most=AI_AFTER_MS / 1000 + 1)


class Quiet(QuickPlay):
    """Delays notifications of matches, which are measured separately."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._matches: list[Match] = []

    def _tell_matched(self, match: Match) -> None:
        self._matches.append(match)

    def tell(self) -> None:
        """Send all notifications."""
        for match in self._matches:
            super()._tell_matched(match)


def in_redis(count: int) -> None:
    """Print the cost in Redis of matching a number of tickets at once."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as server:
        client: Any = command_client(server.url)
        tickets, people = TicketStore(client), PeopleStore(client)
        inbox, results, now = InboxStore(client), ResultStore(client), 10**12
        stores = Stores(client)
        quick_play = Quiet(
            tickets,
            People(people, stores.players, inbox, lambda: now),
            stores.players,
            results,
            inbox,
            None,
            None,
            lambda: now,
        )
        chance = random.Random(2)
        for number in range(count):
            rating = None if chance.random() < 0.2 else chance.gauss(20, 8)
            name = f"pl_{number:012}"
            ticket: Ticket = {
                **arrivals(60, 0.05, seed=3)[0].ticket,
                "id": f"ti_{number:012}",
                "players": [name],
                "ratings": [rating],
                "blocks": [f"pl_{chance.randrange(count):012}" for _ in range(10)],
                "since": now - 10_000 + number,
            }
            tickets.open(ticket)
            people.note_here([name], now)
            client.hset("sj:{players}:record", name, "p1:{}")
        before, cpu, elapsed = used_us(client), time.process_time(), time.perf_counter()
        matches = quick_play.tick()
        matched_us, cpu, elapsed = used_us(client) - before, time.process_time() - cpu, time.perf_counter() - elapsed
        before = used_us(client)
        quick_play.tell()
        told_us = used_us(client) - before
        left = len(tickets.waiting())
        client.close()
    report.table(
        (f"{count:,} tickets that wait", "ms"),
        [
            (f"Redis, to match them ({matches} matches, {left} tickets left)", f"{matched_us / 1000:.1f}"),
            ("Redis, to tell everybody", f"{told_us / 1000:.1f}"),
            ("the clock's process, CPU", f"{cpu * 1000:.0f}"),
            ("from start to end", f"{elapsed * 1000:.0f}"),
        ],
    )
    report.aim(f"Redis for matching {count:,} tickets, ms", matched_us / 1000, at_most=20)


def used_us(client: Any) -> int:
    """Return the CPU time used by Redis, including reading and answering (µs)."""
    used = client.info("cpu")
    return int(1_000_000 * (used["used_cpu_user"] + used["used_cpu_sys"]))


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=12.0, help="simulated hours of each rate (default: 12)")
    parser.add_argument("--tickets", type=int, default=1_000, help="tickets that wait in Redis (default: 1000)")
    options = parser.parse_args()
    waits(options.hours)
    in_redis(options.tickets)


if __name__ == "__main__":
    main()
