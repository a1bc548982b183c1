"""Retries of deliveries of all kinds of subscriptions: how often and when."""

from typing import Final

from service.notices.outbound import Answer
from service.store.notices.outbox import Delivery

#: Delays of retries (s), and their random variation as a fraction.
RETRIES_S: Final = (5, 30, 120, 600, 3_600, 21_600)
SPREAD: Final = 0.2


def retry_at(delivery: Delivery, answer: Answer, now: int, chance: float) -> int | None:
    """Return when to retry a delivery whose attempt failed at `now` (ms), or None if that is useless.

    Args:
        delivery: with this attempt counted.
        answer: of the receiver, which may name the earliest time.
        now: the time (ms).
        chance: a random number in [0, 1).
    """
    attempts = delivery["attempts"]
    if attempts > len(RETRIES_S) or delivery.get("by_hand"):
        return None
    wait_s = RETRIES_S[attempts - 1] * (1 + SPREAD * (2 * chance - 1))
    if answer.retry_after_s is not None:
        wait_s = max(wait_s, answer.retry_after_s)
    again = now + round(1000 * wait_s)
    return None if delivery["until"] is not None and again >= delivery["until"] else again
