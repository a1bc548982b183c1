"""Forms of events: who sits with whom in each round, what is compared, and how ranks come about. A row for each."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from service.boards.deals import DAY_MS
from service.common.errors import InvalidRequest
from service.store.boards.events import FormRules, StoredEvent
from service.store.tournaments.teams import Progress
from service.tournaments import teams
from service.tournaments.ranks import CRITERIA
from service.tournaments.schedules import movements, whist
from service.tournaments.schedules.pairing import paired
from service.tournaments.teams import HOUSE, MOST_TEAMS, is_complete, meetings_of

SWISS: Final = "swiss"
KNOCK_OUT: Final = "knock_out"
MITCHELL: Final = "mitchell"
ARENA: Final = "arena"
#: Most rounds of an event, and most boards.
MOST_ROUNDS: Final = 31
MOST_BOARDS_IN_ALL: Final = 240
#: How the matches of a league begin: when their people have agreed, or with the fixture (for games of days).
AGREED: Final = "agreed"
AT_ONCE: Final = "at_once"
LEAGUES: Final = (AGREED, AT_ONCE)
#: Longest round of an event, shortest fixture of a league, and longest league (ms).
LONGEST_ROUND_MS: Final = 7 * DAY_MS
SHORTEST_FIXTURE_MS: Final = DAY_MS
LONGEST_LEAGUE_MS: Final = 31 * 7 * DAY_MS
#: Longest arena (ms), most boards of one of its tables, and most tables: nobody is seated any more after that.
LONGEST_ARENA_MS: Final = 4 * 3_600_000
MOST_BOARDS_AT_TABLE: Final = 4
MOST_TABLES: Final = 500
#: Most seats at a table of an arena.
MOST_SEATS: Final = 8
#: How long after the last table of an arena has begun its boards may take, each (ms).
GRACE_MS: Final = 20 * 60_000
#: Most rounds of a Swiss of teams, as in releases that know no other form.
MOST_ROUNDS_OF_SWISS: Final = 15


class Field(NamedTuple):
    """Those of whom a round is made.

    Attributes:
        number: number of the round.
        rounds: how many there are.
        draw: units in the order of the draw, with AI players in free places; empty if the form draws none.
        ranked: units that play, the best first.
        met: units that have met, with multiplicity; pairs of whom one has blocked the other count as if they had.
        slots: those who have won the places of the bracket of the round before; None: nobody.
        third: those who play for the third place.
        one_winner: whether there is one line.
    """

    number: int
    rounds: int
    draw: Sequence[str]
    ranked: Sequence[str]
    met: Sequence[tuple[str, str]]
    slots: Sequence[str | None]
    third: Sequence[str]
    one_winner: bool


class Seating(NamedTuple):
    """A round. `slots`: the places of a bracket, two of each match side by side, without that for the third place."""

    tables: list[list[str]]
    byes: list[str]
    slots: list[str | None] | None = None


class Form(NamedTuple):
    """A form.

    Attributes:
        unit: what enters: a `team` for two tables, a `pair` for a side of one (three people where six play), or a
            `player`.
        fewest, most: how many units.
        rounds: the rounds of the movement for so many units; None: as many as the event has.
        place: where the units of the draw sit in a round; None: the form has places of its own.
        criteria: what decides the rank, if the event does not say.
        takes_late: whether units may enter as long as a round is to come; see `late_entries`.
        grows: whether there is one round, to which tables are added as soon as enough units wait.
        most_ever: how many units in all, if those that have withdrawn do not count in `most`; 0: they do.
    """

    unit: Literal["team", "pair", "player"]
    fewest: int
    most: int
    rounds: Callable[[int], int] | None
    place: Callable[[Field], movements.Tables] | None
    criteria: tuple[str, ...]
    takes_late: bool = False
    grows: bool = False
    most_ever: int = 0

    @property
    def may_rank(self) -> list[str]:
        """The criteria that an event of this form may choose."""
        if self.grows:
            return [*self.criteria]
        special = {"arena_points": False, "reached": self.criteria == ("reached",), "percent": self.rooms == 1}
        return [each for each in CRITERIA if special.get(each, True)]

    @property
    def rooms(self) -> int:
        """Tables at which those who meet play each board."""
        return 2 if self.unit == "team" else 1

    def size(self, players: int) -> int:
        """Return the number of people of a unit, in a game of so many players."""
        return {"team": players, "pair": players // 2, "player": 1}[self.unit]


def _even(units: int) -> int:
    return units + units % 2


def _full(units: int) -> int:
    """Return for how many players a whist movement is made: one may sit out, two or three more are AI players."""
    return units if units % 4 < 2 else units + 4 - units % 4


FORMS: Final[dict[str, Form]] = {
    SWISS: Form("team", 2, MOST_TEAMS, None, None, ("victory_points", "steps"), takes_late=True),
    "round_robin": Form(
        "team",
        2,
        32,
        lambda units: _even(units) - 1,
        lambda field: movements.berger(len(field.draw), field.number),
        ("victory_points", "head_to_head", "steps"),
    ),
    KNOCK_OUT: Form("team", 2, MOST_TEAMS, lambda units: max(1, (units - 1).bit_length()), None, ("reached",)),
    MITCHELL: Form(
        "pair",
        2,
        100,
        lambda units: _even(units) // 2,
        lambda field: movements.mitchell(len(field.draw), field.number, field.rounds, one_winner=field.one_winner),
        ("percent", "steps"),
        takes_late=True,
    ),
    "howell": Form(
        "pair",
        2,
        32,
        lambda units: _even(units) - 1,
        lambda field: movements.howell(len(field.draw), field.number),
        ("percent", "steps"),
        takes_late=True,
    ),
    "swiss_pairs": Form("pair", 2, 100, None, None, ("percent", "steps"), takes_late=True),
    "individual": Form(
        "player",
        4,
        32,
        lambda units: _full(units) - (_full(units) % 4 == 0),
        lambda field: whist.whist(len(field.draw), field.number),
        ("percent", "steps"),
        takes_late=True,
    ),
    ARENA: Form("player", 1, 100, None, None, ("arena_points", "margin"), takes_late=True, grows=True, most_ever=400),
}


def chosen(spec: Mapping[str, Any]) -> FormRules:
    """Return the form that a request chooses with the fields of `FormRules`, `form`, `boards` and `round_ms`.

    Raises:
        InvalidRequest: the form has no such rounds or ranks, or the league is too long or too hasty.
    """
    name = spec.get("form", SWISS)
    form = FORMS[name]
    # How many rounds a knock-out has follows from its teams.
    rounds = (form.most - 1).bit_length() if name == KNOCK_OUT else 1 if form.grows else spec["rounds"]
    most = min(MOST_ROUNDS_OF_SWISS if name == SWISS else MOST_ROUNDS, MOST_BOARDS_IN_ALL // spec["boards"])
    if rounds > most:
        raise InvalidRequest(reason="too_many_rounds", field="rounds", limit=most)
    _check_special(form, spec)
    ranks = spec.get("ranks") or [*form.criteria]
    if wrong := [each for each in ranks if each not in form.may_rank]:
        raise InvalidRequest(reason="not_of_this_form", field="ranks", wrong=wrong, accepted=form.may_rank)
    rules: FormRules = {
        "name": name,
        "rounds": rounds,
        "ranks": [*dict.fromkeys(ranks)],
        "winners": spec.get("winners", 1),
        "sit_out": spec.get("sit_out", False),
    }
    if form.grows:
        return _of_arena(rules, spec)
    league = spec.get("league")
    if league is None and spec["round_ms"] > LONGEST_ROUND_MS:
        raise InvalidRequest(reason="round_too_long", field="round_ms", limit=LONGEST_ROUND_MS)
    if league is None:
        return rules
    if spec["round_ms"] < SHORTEST_FIXTURE_MS:
        raise InvalidRequest(reason="fixture_too_short", field="round_ms", limit=SHORTEST_FIXTURE_MS)
    if rounds * spec["round_ms"] > LONGEST_LEAGUE_MS:
        raise InvalidRequest(reason="league_too_long", field="round_ms", limit=LONGEST_LEAGUE_MS // rounds)
    # Where tables are compared, all have to play the same deals.
    return {**rules, "league": league, "deals_of_match": form.rooms > 1}


def _check_special(form: Form, spec: Mapping[str, Any]) -> None:
    """Check what only some forms have.

    Raises:
        InvalidRequest: the form does not have it.
    """
    if spec.get("winners", 1) == 2 and form is not FORMS[MITCHELL]:
        raise InvalidRequest(reason="one_line", field="winners")
    if spec.get("sit_out", False) and form.unit != "pair":
        raise InvalidRequest(reason="nobody_sits_out", field="sit_out")
    if "ai_after_ms" in spec and not form.grows:
        raise InvalidRequest(reason="of_arena", field="ai_after_ms")


def _of_arena(rules: FormRules, spec: Mapping[str, Any]) -> FormRules:
    """Return the rules of an arena.

    Raises:
        InvalidRequest: it would be too long, or its tables would have too many boards or seats; or it is a league.
    """
    if spec["boards"] > MOST_BOARDS_AT_TABLE:
        raise InvalidRequest(reason="too_many_boards_at_table", field="boards", limit=MOST_BOARDS_AT_TABLE)
    if spec["round_ms"] > LONGEST_ARENA_MS:
        raise InvalidRequest(reason="arena_too_long", field="round_ms", limit=LONGEST_ARENA_MS)
    if spec["players"] > MOST_SEATS:
        raise InvalidRequest(reason="too_many_seats", field="players", limit=MOST_SEATS)
    if spec.get("league") is not None:
        raise InvalidRequest(reason="not_in_arena", field="league")
    arena: FormRules = {**rules, "deals_of_match": True}
    return {**arena, "ai_after_ms": spec["ai_after_ms"]} if "ai_after_ms" in spec else arena


def stored(form: FormRules, *, is_of_club: bool) -> dict[str, object]:
    """Return what is stored of a form. Releases before 0.4 know a Swiss of teams alone, and begin rounds of no other.

    What they know is stored as they do. They would let anybody enter an event of a club, so they begin none either.
    """
    is_swiss = form["name"] == SWISS and "league" not in form and not is_of_club
    rounds = form["rounds"] if is_swiss else 0
    is_known = is_swiss and form["ranks"] == [*FORMS[SWISS].criteria]
    return {"rounds": rounds} if is_known else {"rounds": rounds, "form": form}


def name_of(event: StoredEvent) -> str:
    """Return the name of the form of an event."""
    return rules_of(event)["name"]


def form_of(event: StoredEvent) -> Form:
    """Return the form of an event."""
    return FORMS[name_of(event)]


def rules_of(event: StoredEvent) -> FormRules:
    """Return what the maker of an event has chosen; those of events made before there were forms."""
    rules = event["teams"]
    return rules.get("form") or {
        "name": SWISS,
        "rounds": rules["rounds"],
        "ranks": [*FORMS[SWISS].criteria],
        "winners": 1,
        "sit_out": False,
    }


def league_of(event: StoredEvent) -> str | None:
    """Return how the matches of a league begin; None: the event is none."""
    return rules_of(event).get("league")


def follows_at(event: StoredEvent, progress: Progress) -> int | None:
    """Return when the next round of a league begins by itself (ms): as the time of the last one ends; or None."""
    rounds = progress["rounds"]
    if league_of(event) is None or not rounds or len(rounds) >= rounds_of(event, progress):
        return None
    return rounds[-1]["closes_at"]


def draws_once(event: StoredEvent) -> bool:
    """Return whether the draw before the first round decides all of them."""
    return form_of(event).rounds is not None


def line_of(event: StoredEvent, progress: Progress, unit: str) -> int | None:
    """Return the line of a unit in a movement with two winners, 1 or 2; None: there is one."""
    draw = progress.get("draw", [])
    if rules_of(event)["winners"] == 1:
        return None
    if unit == HOUSE:
        # A late pair may have taken its place in the draw; what it has played stays in the line in which it sat.
        tables = (table for entry in progress["rounds"] for table in meetings_of(entry) if HOUSE in table)
        return next(tables, [HOUSE]).index(HOUSE) + 1
    place = unit if unit in draw else HOUSE
    return draw.index(place) % 2 + 1 if place in draw else 1


def rounds_of(event: StoredEvent, progress: Progress) -> int:
    """Return how many rounds an event has; before its draw, with those who have entered so far."""
    rounds, form = rules_of(event)["rounds"], form_of(event)
    if form.rounds is None:
        return rounds
    units = len(progress.get("draw", ())) or max(form.fewest, len(units_of(progress)))
    return min(rounds, form.rounds(units))


def length_of(event: StoredEvent) -> int:
    """Return how long a round lasts at most (ms); of an arena, with the time that its last tables have to end."""
    rules = event["teams"]
    return rules["round_ms"] + (GRACE_MS * rules["boards"] if form_of(event).grows else 0)


def units_of(progress: Progress) -> list[str]:
    """Return the units that play, in the order of entry: complete, and not withdrawn."""
    return [
        name
        for name, team in progress["teams"].items()
        if is_complete(team) and not team["is_withdrawn"] and not team["is_house"]
    ]


def drawn(form: Form, order: Sequence[str]) -> list[str]:
    """Return the draw of a form: the units in order, with AI players where the movement needs more."""
    if form.place is None:
        # A bracket has byes.
        return [*order]
    full = _full(len(order)) if form.unit == "player" else _even(len(order))
    return [*order, *[HOUSE] * (full - len(order))]


def seating(event: StoredEvent, field: Field) -> Seating:
    """Return who meets in a round."""
    form, rules = form_of(event), rules_of(event)
    if form.grows:
        return Seating([], [])
    if rules["name"] == KNOCK_OUT:
        return _knocked_out(field)
    playing = [*field.ranked]
    if form.place is None:
        order = [*playing, *[HOUSE] * (len(playing) % 2)]
        tables = [list(pair) for pair in paired(order, field.met)]
    else:
        playing = [unit for unit in field.ranked if unit in field.draw]
        tables = [
            [field.draw[at] if field.draw[at] in playing else HOUSE for at in table] for table in form.place(field)
        ]
    return _with_byes(tables, playing, sit_out=rules["sit_out"])


def _with_byes(tables: Sequence[list[str]], playing: Sequence[str], *, sit_out: bool) -> Seating:
    """Return a round without tables of AI players alone, and without any of them if those who meet them sit out."""
    idle = [table for table in tables if (HOUSE in table if sit_out else {*table} == {HOUSE})]
    seats = [table for table in tables if table not in idle]
    seated = {unit for table in seats for unit in table}
    return Seating(seats, [unit for unit in playing if unit not in seated])


def _knocked_out(field: Field) -> Seating:
    """Return a round of a knock-out: those meet whose places are side by side; whoever has no opponent goes on."""
    playing = {*field.ranked}
    if field.number == 1:
        places = movements.bracket(len(field.draw))
        slots = [None if place is None else field.draw[place] for place in places]
    else:
        slots = [unit if unit in playing else None for unit in field.slots]
    matches = [slots[at : at + 2] for at in range(0, len(slots), 2)]
    tables = [*([unit for unit in match if unit is not None] for match in matches), [*field.third]]
    return Seating(
        [both for both in tables if len(both) > 1], [both[0] for both in tables if len(both) == 1], slots=slots
    )


def with_round(event: StoredEvent, progress: Progress, made: Seating, opened_at: int, closes_at: int) -> Progress:
    """Return an event whose next round has begun."""
    after = teams.with_round(progress, made.tables, opened_at, closes_at)
    entry = after["rounds"][-1]
    if form_of(event).grows:
        # Its tables follow.
        entry = {**entry, "closes_at": closes_at, "closed_at": None, "is_scored": False, "over": [], "waiting": {}}
    if form_of(event).rooms == 1 or league_of(event) is not None:
        # Releases before 0.4 open tables of `pairs`: with two rooms of each, and with the same cards in all matches.
        entry = {**entry, "pairs": [], "tables": entry["pairs"]}
    if league_of(event) == AGREED:
        entry = {**entry, "begun": [], "fixtures": {}}
    if made.byes:
        entry = {**entry, "byes": made.byes}
    if made.slots is not None:
        entry = {**entry, "slots": made.slots}
    return {**after, "rounds": [*progress["rounds"], entry]}


def met_before(progress: Progress, apart: Collection[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return who has met, with multiplicity. Pairs in `apart` count as if they had in each round and once more."""
    met = [(both[0], both[1]) for entry in progress["rounds"] for both in meetings_of(entry)]
    once = {frozenset(pair): pair for pair in apart}.values()
    return [*met, *once, *[*apart] * len(progress["rounds"])]
