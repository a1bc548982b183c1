"""The weights of the rules by which simulated seats play."""

from typing import NamedTuple


class Tuning(NamedTuple):
    """Weights of the rules by which simulated seats play, in card points; set by matches of these rules alone."""

    tuple_card: float = 6.0
    tuple_point: float = 0.2
    tuple_ruffed: float = -4.5
    boss: float = 9.0
    boss_point: float = 0.4
    boss_length: float = 0.0
    boss_ruffed: float = 15.0
    boss_thin: float = 4.0
    low: float = -1.0
    low_point: float = 0.6
    low_level: float = 0.15
    low_length: float = 0.9
    low_boss: float = 2.0
    mate_ruffs: float = 4.0
    foe_ruffs: float = 3.0
    draw: float = 1.0
    drawn: float = -4.0
    draw_declarers: float = 1.0
    draw_attackers: float = -3.0
    trump_tuple: float = 3.0
    trump_boss: float = 2.0
    trump_low: float = -1.5
    beat_side: float = 30.0
    beat_trumps: float = 5.0
    boss_trump: float = 5.0
    ruff_dear: float = 8.0
    ruff_mate: float = 1.0
    save: float = 2.0
    discard_length: float = 0.6
    discard_point: float = 2.0
    feed_margin: float = 0.0
    ruff_feed: float = 0.5
    keep_last: float = 0.0
    keep_trump: float = 0.0
    tractor: float = 0.0
