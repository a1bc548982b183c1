"""Logs of whole rounds with the view after each step, to compare the client's model with."""

from typing import Any

from harness.driver import Driver
from service.game.views.telling import tell
from service.game.views.types import Viewer
from service.game.views.view import view

#: Events of a step, and the view after it.
Step = dict[str, Any]


def recorded(driver: Driver, viewer: Viewer, rounds: int) -> dict[str, Any]:
    """Play rounds; return the first view of a viewer, and the steps after it."""
    first = view(driver.state, viewer, driver.now)
    steps: list[Step] = []
    start = len(driver.log)

    def note(driver: Driver) -> None:
        nonlocal start
        events = tell(driver.log[start:], viewer, driver.state)
        start = len(driver.log)
        steps.append({"events": events, "view": view(driver.state, viewer, driver.now)})

    driver.on_step = note
    for _ in driver.rounds(rounds):
        pass
    return {"first": first, "steps": steps}
