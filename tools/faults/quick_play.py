"""People who repeatedly look for a game while processes are killed."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from harness.processes import RunningService
from harness.waiting import wait_until
from service.store.connections.clients import command_client
from service.store.stores import Stores
from tools.faults.sessions import Session

#: Nobody moves at these tables, since `workers` is 0.
WANTED = {"ruleset": "arms_length", "players": 4, "ai_after_s": 2, "ai_level": "easy"}


class Person(Session):
    """A person who looks for a number of games, confirms nine of ten, and leaves each table at once."""

    def __init__(self, service: RunningService, number: int, tickets: int) -> None:
        super().__init__(service, f"P{number}")
        self.number, self.tickets = number, tickets
        self.seated: list[str] = []
        self.lost = 0

    def run(self) -> None:
        while len(self.seated) + self.lost < self.tickets:
            answer = self.send("POST", "/me/ticket", WANTED)
            assert answer.status_code in (200, 409), answer.text
            confirms = (len(self.seated) + self.lost + self.number) % 10 != 0
            table = self._wait(confirms)
            if table is None:
                self.lost += 1
                continue
            self.seated.append(table)
            self.send("DELETE", f"/tables/{table}/seats/me")

    def _wait(self, confirms: bool) -> str | None:
        """Return the table; None if the ticket ended without confirmation."""
        while True:
            answer = self.send("GET", "/me/ticket")
            if answer.status_code == 404:
                return None
            ticket = answer.json()
            if ticket["state"] == "seated" and ticket["table"] not in self.seated:
                return str(ticket["table"])
            if ticket["state"] == "seated":
                # The table of the previous game, so the ticket has ended.
                return None
            if ticket["state"] == "matched" and confirms and not ticket["match"]["confirmed"]:
                self.send("PUT", "/me/ticket/confirmation")
            elif ticket["state"] == "matched" and not confirms:
                self.send("DELETE", "/me/ticket")
            else:
                time.sleep(0.2)


#: Patience for all tickets on a busy machine (s).
PLAYED_S: Final = 3_600.0


def kill_clock(service: RunningService, _: int) -> None:
    """Kill a clock and restart it."""
    service.clocks[0].kill()
    service.clocks[0].start()


def check_that_everybody_plays_once(
    service: RunningService, people: int, tickets: int, faults: Sequence[Callable[[RunningService, int], None]]
) -> dict[str, int]:
    """Let people look for games during faults; return the outcomes of their tickets."""
    everybody = [Person(service, number, tickets) for number in range(people)]
    threads = [threading.Thread(target=person.run, daemon=True) for person in everybody]
    for thread in threads:
        thread.start()
    total = people * tickets

    def have_played() -> int:
        assert any(thread.is_alive() for thread in threads), "somebody has failed"
        return sum(len(person.seated) + person.lost for person in everybody)

    for number, fault in enumerate(faults, 1):
        enough = number * total // (len(faults) + 1)
        wait_until(lambda enough=enough: have_played() >= enough, f"{enough} tickets", seconds=PLAYED_S)  # type: ignore[misc]
        fault(service, number)
    for thread in threads:
        thread.join(300)
        assert not thread.is_alive(), "somebody waits for ever"
    seated = Counter((person.player, table) for person in everybody for table in person.seated)
    assert max(seated.values()) == 1
    with command_client(service.redis.url) as redis:
        tables = Stores(redis).tables
        for person in everybody:
            for table in person.seated:
                snapshot = tables.load(table)
                assert snapshot is not None
                at_start = [seat["occupant"]["player"] for seat in snapshot.state["seats"] if seat["occupant"]]
                assert at_start.count(person.player) == 1, "sits there, and once"
        left = {key.decode().split(":")[2] for key in redis.scan_iter("sj:{quick}:*")}
        assert left <= {"met", "seated"}
    return {
        "tickets": total,
        "seated": sum(len(person.seated) for person in everybody),
        "ended": sum(person.lost for person in everybody),
        "tables": len({table for person in everybody for table in person.seated}),
    }
