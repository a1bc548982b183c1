"""How much one address may store in a day, row by row of the table of bounds in docs/operations.md, and in a week.

The sizes are those that the tests named in the table measure. What lasts is charged to `LIMIT_KEEP_ADDRESS`, so a day
leaves as many pieces as that budget or another one allows, with as many accounts as an address can make in a day.
"""

from typing import NamedTuple

import pytest

from service.accounts import kept_bytes as kept
from service.common.settings import Budget, Settings
from tests.repository.test_docs import rows, text_of

SETTINGS = Settings()
DAY_S = 86_400
#: A long game, as measured: the table, for two days, and the record, for longer than a week (bytes).
TABLE_BYTES, RECORD_BYTES = 78_000, 38_000


def daily(budget: Budget) -> int:
    """Return how much of a budget there is in a day."""
    return budget.limit * DAY_S // budget.window_s


BYTES = daily(SETTINGS.limit_keep_address)
ACCOUNTS = daily(SETTINGS.limit_register)
EVENTS_A_DAY = len(SETTINGS.daily_events) + len(SETTINGS.bot_ladder)
LARGEST_EVENT = kept.TEAM_EVENT + 15 * 16 * kept.TEAM_BOARD


class Kept(NamedTuple):
    """A kind of what is stored.

    Attributes:
        size: bytes of one.
        charge: bytes that one is charged; None: it does not last, so a limit on the number at a time is enough.
        most: how many there may be in a day, or at a time, for another reason; None: none.
    """

    size: int
    charge: int | None
    most: int | None = None

    @property
    def count(self) -> int:
        limits = [each for each in (self.most, self.charge and BYTES // self.charge) if each is not None]
        return min(limits)

    def __str__(self) -> str:
        total = self.count * self.size / 1e6
        return f"{self.count:,} × {self.size / 1000:g} KB = {total:.{0 if total >= 10 else 1}f} MB"


ELSEWHERE, NOTHING = "in other rows", "nothing that lasts"
TABLES = min(ACCOUNTS, BYTES // kept.TABLE)
#: Row -> what is stored of it.
ROWS: dict[str, Kept | str] = {
    "a remembered request (`Idempotency-Key`)": Kept(640, kept.MESSAGE),
    "a player and the first token": Kept(1_100, kept.PLAYER, ACCOUNTS),
    "the other tokens and the codes of a player": Kept(700, kept.TOKEN, 20 * ACCOUNTS),
    "the inbox of a player": Kept(300, kept.NOTICE),
    "wrong codes": NOTHING,
    "players and tables of an IP address": ELSEWHERE,
    "tables before or in a game": Kept(TABLE_BYTES, kept.TABLE, ACCOUNTS),
    "sign-ins under way": Kept(2_500, None, SETTINGS.limit_register.limit),
    "requests of devices": Kept(800, None, SETTINGS.limit_register.limit),
    "what players grant to apps": NOTHING,
    "new tables and tokens": ELSEWHERE,
    "a table closed without a game": ELSEWHERE,
    "chat": Kept(450, kept.MESSAGE),
    "chat of a table": ELSEWHERE,
    "what players do at a table beside answering decisions": Kept(100, kept.COMMAND),
    "events of a table": ELSEWHERE,
    "the record of a game": Kept(RECORD_BYTES, kept.TABLE, ACCOUNTS),
    "games from elsewhere": Kept(40_000, 40_000),
    "the analysis of a round": Kept(20_000, kept.ANALYSIS),
    "the par of a round": Kept(300, kept.PAR),
    "an entrant of an event": Kept(1_500, kept.EVENT_ENTRY, ACCOUNTS * EVENTS_A_DAY),
    "an event of teams": Kept(LARGEST_EVENT, LARGEST_EVENT, ACCOUNTS),
    "an arena": ELSEWHERE,
    "a past game in lists": Kept(3_200, kept.TABLE, ACCOUNTS),
    "the list of a player's past games": Kept(16 * 80, kept.TABLE, ACCOUNTS),
    "the list of a player's past rounds": Kept(330, kept.ROUND),
    "riddles": "nothing: 400 of all players",
    "a player's answers to riddles": Kept(100, kept.ENTRY),
    "a stream of records": NOTHING,
    "a deal that was sent": Kept(8_000, kept.DEAL_LINK),
    "standing orders of a seat": Kept(3_000, kept.ORDERS),
    "a player's blocks, friends and friend requests": Kept(760, kept.ENTRY),
    "a ticket for quick play": NOTHING,
    "a challenge": NOTHING,
    "a room": Kept(8_000, kept.ROOM),
    "a club": Kept(4_000, kept.CLUB),
    "a season of a club": Kept(6_000, kept.SEASON),
    "what is played in a season": Kept(800, kept.TEAM_MEMBER),
    "reports of players": Kept(20_000, kept.REPORT, 1_000),
    "reports of a reporter": ELSEWHERE,
    "objections to plays of AI players": Kept(5_000, kept.OBJECTION, 1_000),
    "objections of a player": ELSEWHERE,
    "how a player's rating has changed": Kept(16 * 40, kept.TABLE, ACCOUNTS),
    "registration codes": Kept(700, kept.ENTRY),
    "from where players register": ELSEWHERE,
    "blocked networks": "nothing: operators make them",
    "a player's mutes": Kept(200, kept.ENTRY),
    "webhooks of a player": Kept(60_000, kept.WEBHOOK),
    "the list of a player's tables": Kept(80, kept.COMMAND),
}


def test_the_table_of_bounds_says_what_one_address_may_store_in_a_day():
    documented = {what: a_day for what, _, a_day, _ in rows(text_of("operations.md"), "Bounds")}
    assert documented == {what: str(stored) for what, stored in ROWS.items()}


@pytest.mark.parametrize("what", [what for what, stored in ROWS.items() if isinstance(stored, Kept) and stored.charge])
def test_what_is_stored_is_charged(what):
    stored = ROWS[what]
    if stored.charge == kept.TABLE:
        # A table and what it leaves are charged together, by what is left after a week.
        assert 2 * TABLE_BYTES + 7 * (RECORD_BYTES + 3_200 + 16 * 80 + 16 * 40) <= 7 * kept.TABLE
    else:
        assert stored.size <= stored.charge


def test_a_round_is_charged_what_it_leaves_after_a_week():
    # Of a round with sixteen seats: 2.1 KB of the record, and 4.9 KB at the table for two days.
    assert 7 * kept.ROUND >= 7 * 2_100 + 2 * 4_900


def test_one_address_needs_more_than_a_week_to_fill_a_gigabyte():
    # A week has parts of eight windows. Each piece leaves at most what it is charged.
    lasts = 8 * BYTES
    passing = sum(
        stored.count * stored.size for stored in ROWS.values() if isinstance(stored, Kept) and not stored.charge
    )
    # Counters of budgets, the last of which live for a day.
    counters = ACCOUNTS * len([name for name in SETTINGS.__dict__ if name.startswith("limit_")]) * 120
    assert lasts + passing + counters < SETTINGS.redis_memory_mb * 1e6


def test_ten_classes_at_a_school_can_register_and_play_all_day():
    pupils = 10 * 30
    assert pupils <= SETTINGS.limit_register.limit * 3_600 // SETTINGS.limit_register.window_s
    # In a day, each registers, links a second device, plays ten games at tables of four, chats and asks for a par.
    each = kept.PLAYER + kept.TOKEN + 10 * kept.TABLE // 4 + 10 * kept.PAR + 20 * kept.MESSAGE
    assert pupils * each < BYTES


def test_a_tournament_of_a_club_is_within_the_budget_of_its_director():
    teams, players, rounds, boards = 32, 4, 5, 4
    entered = teams * (kept.TEAM + players * kept.TEAM_MEMBER)
    played = rounds * teams * boards * kept.BOARD
    event = kept.TEAM_EVENT + rounds * boards * kept.TEAM_BOARD
    assert event + entered + played < daily(SETTINGS.limit_keep) / 4
