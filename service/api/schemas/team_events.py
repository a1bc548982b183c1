"""Team events: their making, teams, rounds, matches, standings and the export."""

from service.api.schemas import fields as f
from service.api.schemas.boards import ResultOfSeat
from service.api.schemas.common import Page, next_cursor
from service.api.schemas.showing import ShowingRules
from service.api.schemas.tables import ClockChanges
from service.game.events.fields import NOT_IN_ARMS
from service.game.state.levels import AI_LEVELS
from service.rules.games import RULESETS
from service.tournaments.directing.acts import ACTS
from service.tournaments.directing.entry_lists import LONGEST_LIST
from service.tournaments.directing.notes import LONGEST_NOTE
from service.tournaments.directing.rulings import AWARDS
from service.tournaments.forms import FORMS, LEAGUES, LONGEST_ROUND_MS, MOST_ROUNDS, SWISS
from service.tournaments.ranks import CRITERIA
from service.tournaments.team_events import MOST_BOARDS, MOST_LISTED

_EVENT = "ev_7h2kx5q2m4na"
_TEAM = "tm_5kx3q2m4na7h"
_MATCH = "1-2"
_PAIRING = "9f86d081884c7d65"
_MINUTE = 60_000
_LONGEST_ROUND = 4 * LONGEST_ROUND_MS
#: Most steps that a director may give.
_MOST_STEPS = 24
#: Largest penalty, in victory points or percent.
_MOST_PENALTY = 100
#: Longest reason.
_REASON = 200
_MOST_TEAMS = max(form.most for form in FORMS.values())
_CRITERIA = (
    "`percent`, the mean of matchpoints in events of pairs; `victory_points`; `steps`, of pairs their mean; `margin`, "
    "the lead in points; `wins`, where an even match counts half; `head_to_head`, the victory points against those who "
    "are equal so far; `opponents`, what the opponents have made of a match on average; `reached`, how far a team has "
    "come in a knock-out; `arena_points`, the points of an arena."
)


def _players() -> f.Field:
    return f.integer(
        "Seats at a table, and players of a team; each ruleset says which are possible.", 4, f.MOST_SEATS, example=4
    )


class TeamEventSetup(f.Contract):
    """A new event of teams."""

    name = f.name("Its name.", 60, example="Spring Cup")
    ruleset = f.choice(
        "The game that is played: one with fixed teams or, in an `arena`, any that has no more than eight seats.",
        *RULESETS,
        example="shengji",
    )
    players = _players()
    form = f.choice(
        "`swiss`: teams with scores as close as possible meet. `round_robin`: everybody meets everybody. `knock_out`: "
        "who wins goes on; those who lose before the final play for the third place. Of pairs, whose boards are "
        "compared with those of all other tables: `mitchell`: one half stays, the other one moves on; `howell`: "
        "everybody meets everybody; `swiss_pairs`: those with scores as close as possible meet. Of single players, "
        "four at a table, compared likewise: `individual`: everybody is the partner of everybody once. `arena`: one "
        "round of `round_ms`, in which whoever has entered gets a table as soon as enough wait, and the next one when "
        "it is over.",
        *FORMS,
        default=SWISS,
    )
    ranks = f.array(
        f.choice("A criterion.", *CRITERIA),
        f"What decides the rank, one after the other; left out: as usual for the form. {_CRITERIA}",
        1,
        len(CRITERIA),
        optional=True,
        example=["victory_points", "head_to_head"],
    )
    winners = f.integer(
        "Of a `mitchell`: 2 ranks those who stay and those who move apart; with 1, they change sides in the last "
        "eighth of the rounds.",
        1,
        2,
        default=1,
    )
    club = f.place(
        "Id of a club of which the caller is an owner or director: only its members may enter, and only they find the "
        "event.",
        "^[A-Za-z0-9_-]+$",
        60,
        optional=True,
    )
    sit_out = f.flag("Of pairs: whether one without opponents sits out, instead of meeting AI players.", default=False)
    league = f.choice(
        "A league: the next round begins by itself when the time of the last one is over, so that `round_ms` is the "
        "time between two fixtures; each match of teams has deals of its own. `agreed`: a match begins when its people "
        "have agreed on a time or are all ready. `at_once`: all begin with the fixture, as for games of days. Left "
        "out: none.",
        *LEAGUES,
        optional=True,
        example="agreed",
    )
    rounds = f.integer(
        "How many rounds there are, at most 15 in a Swiss. A round robin ends before if everybody has met, and a "
        "knock-out has as many as it needs.",
        1,
        MOST_ROUNDS,
        default=5,
        example=5,
    )
    boards = f.integer(
        "Boards of each round. In an arena, those that each table plays before its people wait again: 4 at most, and "
        "1 as a rule.",
        1,
        MOST_BOARDS,
        default=4,
        example=4,
    )
    ai_after_ms = f.integer(
        "Of an arena: how long somebody waits before AI players take the free seats of a table, in milliseconds; left "
        "out: they never do.",
        10_000,
        10 * _MINUTE,
        optional=True,
        example=60_000,
    )
    round_ms = f.integer(
        "How long a round lasts at most: a week; in a league, at least a day, and all rounds 31 weeks at most. In an "
        "arena, how long tables begin: four hours at most. Its last ones then have 20 minutes for each board.",
        _MINUTE,
        _LONGEST_ROUND,
        default=60 * _MINUTE,
        example=3_600_000,
    )
    options = f.mapping(
        "Options that differ from the ruleset's; GET /v1/rulesets/{ruleset} lists names and values. The board "
        "determines the level and how the cards are dealt.",
        high=f.MOST_OPTIONS,
        optional=True,
        example={"overcall": "longer"},
    )
    clock = f.nested(ClockChanges, "Time limits of the tables; those left out keep their defaults.", optional=True)
    ai_pace_ms = f.integer("Minimum time that AI players take for a move.", 0, 10_000, default=600)
    listed = f.flag("Whether `GET /v1/team-events` shows it to everybody.", default=True)


class MemberEntry(f.Contract):
    """A member of a team: either a player or an AI player."""

    player = f.text("Id of the player.", 1, 40, optional=True, example="pl_4f7h2k9qm3xa")
    level = f.choice("Level of the AI player.", *AI_LEVELS, optional=True, example="normal")


class TeamEntry(f.Contract):
    """A team. In each room, half of it plays, on one side: the first half in one room, the others in the other.

    In events of pairs it is a pair, in those of single players one of them.
    """

    name = f.name(
        "Its name. A pair may leave it out, and has the names of its members.", 40, optional=True, example="Dragons"
    )
    members = f.array(f.nested(MemberEntry), "As many as `size` of the event says.", 1, f.MOST_SEATS)


class TeamEntries(f.Contract):
    """Teams to enter."""

    teams = f.array(f.nested(TeamEntry), "A captain enters one, the director any number.", 1, _MOST_TEAMS)
    code = f.text("The code of the link by which the caller has come.", 1, 40, optional=True, example="7h2kx5q2m4na")


class EntryList(f.Contract):
    """A list of entries."""

    list = f.text(
        "A line for each: the name of the team, then its players, with commas, semicolons or tabs between them. Of "
        "pairs and single players the name may be left out, or comes first with a colon. A player is an id, a link "
        "with one, or the name of a friend of the caller or, in an event of a club, of somebody there.",
        1,
        LONGEST_LIST,
        example="Dragons, pl_4f7h2k9qm3xa, Mei\nPhoenix, pl_x5q2k7d3m4na",
    )
    level = f.choice("Level of the AI players that take the places that are left.", *AI_LEVELS, default="normal")


class RoundStart(f.Contract):
    """The round to begin."""

    round = f.integer("Its number: one more than the number of rounds that have begun.", 1, MOST_ROUNDS, example=1)
    order = f.array(
        f.text("A team.", 1, 40, example=_TEAM),
        "Before the first round of a form that draws once: teams in the order of the draw, the best first; those left "
        "out follow as they entered.",
        1,
        _MOST_TEAMS,
        optional=True,
    )
    pairing = f.text(
        "`pairing` of `GET …/next-round`: the round begins with just that one, or not at all. Left out: with whatever "
        "it is now.",
        1,
        40,
        optional=True,
        example=_PAIRING,
    )


class NextRoundQuery(f.Contract):
    """A draw to look at."""

    order = f.text(
        "`order` of `POST …/rounds`, with commas between the teams.",
        1,
        _MOST_TEAMS * 41,
        optional=True,
        example=f"{_TEAM},tm_x5q2k7d3m4na",
    )


class RoundEnd(f.Contract):
    """When a round ends."""

    closes_at = f.moment("Later or earlier than before; a time in the past ends it now.")
    reason = f.line("Why; everybody can read it.", _REASON, optional=True, example="The hall closes at nine")


class MatchTime(f.Contract):
    """A time for a match of a league."""

    at = f.moment("The time: that of the open proposal to agree to it, or another one to propose it.")


class RulingChange(f.Contract):
    """The director's ruling on a board of a match, or on all of its boards.

    It has one of `steps`, `split`, `percents` and `awards`.
    """

    steps = f.integer(
        "Steps for the first team of the match, below 0 for the second one; not in events of pairs.",
        -_MOST_STEPS,
        _MOST_STEPS,
        optional=True,
        example=3,
    )
    split = f.array(
        f.integer("", -_MOST_STEPS, _MOST_STEPS),
        "Steps for each team, which need not add up to 0; not in events of pairs.",
        2,
        2,
        optional=True,
        example=[3, -6],
    )
    awards = f.array(
        f.choice("An award.", *AWARDS),
        "For each side: `average`, `average_plus`, `average_minus` (0, 3, -3 steps, or 50, 60, 40 %) or `forfeit` (-12 "
        "steps, 0 %). In a knock-out, nobody goes on from a match of which both have forfeited all boards.",
        2,
        2,
        optional=True,
        example=["average_plus", "average_minus"],
    )
    percents = f.array(
        f.integer("", 0, 100),
        "In events of pairs: the percentages of the first side and of the second one. Their sum may differ from 100.",
        2,
        2,
        optional=True,
        example=[60, 40],
    )
    reason = f.line("Why; everybody can read it.", _REASON, example="Wrong seats in the second room")


class PenaltyChange(f.Contract):
    """A penalty of a team."""

    amount = f.integer(
        "What it has less in the standings, in hundredths: of a victory point or, in events of pairs and of single "
        "players, of a percent; in an arena, of a point. 0 takes the penalty away.",
        0,
        100 * _MOST_PENALTY,
        example=150,
    )
    reason = f.line("Why; everybody can read it.", _REASON, example="Late for the second time")


class UndoneAct(f.Contract):
    """What to take back."""

    act = f.integer("Its number in the log.", 1, 1_000_000, example=7)
    reason = f.line("Why; everybody can read it.", _REASON, example="It was the other board")


class LeadingDirector(f.Contract):
    """Who is to lead an event."""

    player = f.text("A director (id).", 1, 40, example="pl_x5q2k7d3m4na")


class DirectorOfEvent(f.Contract):
    """A director of an event."""

    player = f.text("The director.", example="pl_4f7h2k9qm3xa")
    name = f.text("The name; null: unknown.", nullable=True, example="Lin")
    leads = f.flag("Whether the director leads the event: names the others, and passes on the lead.")
    offered = f.flag("Whether the lead has been offered to this director.")


class NoteDraft(f.Contract):
    """A note to all entrants."""

    text = f.line("What it says, in one line.", LONGEST_NOTE, example="The second half begins at nine.")


class NoteOfEvent(f.Contract):
    """A note of a director to all entrants."""

    note = f.text("Its id.", example="no_5kx3q2m4na7h")
    at = f.time("When it was sent.")
    by = f.text("The director (id).", example="pl_4f7h2k9qm3xa")
    name = f.text("The director's name; null: unknown.", nullable=True, example="Lin")
    text = f.text(
        "What it says; null: the caller has muted or blocked the director.",
        nullable=True,
        example="The second half begins at nine.",
    )


class EntryLinkChange(f.Contract):
    """A new link for entries."""

    required = f.flag("Whether nobody enters without the link.", default=True)


class EntryLink(f.Contract):
    """The link for entries."""

    code = f.text("Its code, which enters as `code` of `POST …/teams`.", example="7h2kx5q2m4na")
    required = f.flag("Whether nobody enters without the link.")


class TeamMember(f.Contract):
    """A player of a team."""

    player = f.text("The player; null: an AI player, or a player who has deleted the account.", nullable=True)
    name = f.text("The name at the time of the entry.", example="Lin")
    level = f.text("Level of the AI player; null: no AI player.", nullable=True, example=None)
    confirmed = f.flag("Whether the player has agreed to play.")


class TeamOfEvent(f.Contract):
    """A team."""

    team = f.text("Its id.", example=_TEAM)
    name = f.text("Its name.", example="Dragons")
    captain = f.text("Who may change or withdraw it; null: only the director.", nullable=True)
    members = f.array(f.nested(TeamMember), "In the order in which they sit.")
    complete = f.flag("Whether all members are there and have agreed.")
    withdrawn = f.flag("Whether it plays no more rounds.")
    put_out = f.flag("Whether a director has withdrawn it, so that only a director brings it back.")
    house = f.flag("Whether it is a team of AI players that makes an odd number of teams even.")


class MatchOfRound(f.Contract):
    """Two teams that meet in a round."""

    match = f.text("Its id: numbers of the round and the pair.", example=_MATCH)
    teams = f.array(
        f.text(""), "Both teams; in events of single players four, in the order of seats.", example=[_TEAM, "tm_house"]
    )
    place = f.integer(
        "The place for which they play, in the last round of a knock-out: 1 or 3; null: none.",
        nullable=True,
        example=None,
    )
    agreed_at = f.time(
        "In a league, the time on which its people have agreed: its tables open then; null: none.",
        nullable=True,
        example=None,
    )


class PendingWork(f.Contract):
    """What the service does for a round in the background, within seconds. If it takes longer, tell the operator."""

    what = f.extensible(
        "`tables`: the first boards of the round are being opened. `results`: its time is up, and what counts is being "
        "collected.",
        ("tables", "results"),
    )
    since = f.time("Since when it has been due.")
    done = f.integer("How many tables are open; null: not counted.", nullable=True, example=24)
    total = f.integer("How many there will be; null: not counted.", nullable=True, example=64)


class RoundOfEvent(f.Contract):
    """A round that has begun."""

    round = f.integer("Its number.", example=1)
    status = f.extensible(
        "`open`: it is being played, or its results are being collected. `over`: its matches can be read.",
        ("open", "over"),
    )
    opened_at = f.time("When it has begun.")
    closes_at = f.time("When it ends or has ended; earlier if its last board is over before then.")
    remaining_ms = f.integer("Milliseconds until then; 0: its time is up.", example=3_000_000)
    pending = f.nested(PendingWork, "What is still being done for it; null: nothing.", nullable=True)
    matches = f.array(
        f.nested(MatchOfRound), "Its matches; of an arena that goes on, the tables where people play now."
    )
    last_table_at = f.time("Until when tables begin in an arena; null: another form.", nullable=True, example=None)
    waiting = f.array(f.text(""), "Who waits for a table of an arena, the longest first.", example=[])
    tables = f.integer("How many tables of an arena have begun; null: another form.", nullable=True, example=None)
    byes = f.array(f.text(""), "Teams that do not play in it; in a knock-out they go on.", example=[])


class PairingOfRound(f.Contract):
    """Who would meet if the next round began now."""

    round = f.integer("Its number.", example=2)
    pairing = f.text("Tells this pairing from others; see `POST …/rounds`.", example=_PAIRING)
    matches = f.array(f.nested(MatchOfRound), "Its matches; of an arena, none.")
    byes = f.array(f.text(""), "Teams that would not play in it; in a knock-out they would go on.", example=[])


class OwnPart(f.Contract):
    """The caller's part in an event."""

    directs = f.flag("Whether the caller directs it.")
    club = f.text(
        "Id of the club whose members alone may enter; null: none, or the caller has no part in the event.",
        nullable=True,
        example="cb_5kx3q2m4na7h",
    )
    team = f.text("The caller's team; null: none.", nullable=True, example=_TEAM)
    confirmed = f.flag("Whether the caller has agreed to play for it.")


class ProposedTime(f.Contract):
    """A time that is proposed for a match."""

    at = f.time("The time.")
    teams = f.array(f.text(""), "Who agrees to it; the first one has proposed it.", example=[_TEAM])


class OwnFixture(f.Contract):
    """The caller's match in a league whose matches begin when their people have agreed."""

    match = f.text("The match.", example=_MATCH)
    begun = f.flag("Whether it has begun.")
    agreed_at = f.time("The time on which all have agreed; null: none.", nullable=True, example=None)
    proposed = f.nested(ProposedTime, "A time to which not all have agreed yet; null: none.", nullable=True)
    players = f.array(f.text(""), "The people who play it.", example=["pl_4f7h2k9qm3xa", "pl_x5q2k7d3m4na"])
    ready = f.array(
        f.text(""), "Those of them who are ready to play at once, for 15 minutes each.", example=["pl_x5q2k7d3m4na"]
    )
    proposals_left = f.integer("How many times the caller's team may still propose.", example=10)


class OwnTeam(OwnPart):
    """The caller's part in an event, and where to play."""

    table = f.text(
        "Where the caller plays now, with everybody seated and the game begun; null: nowhere.",
        nullable=True,
        example="tb_7h2kx5q2m4na",
    )
    fixture = f.nested(
        OwnFixture, "The match for which the caller and others find a time; null: none.", nullable=True, example=None
    )


class TeamEventSummary(f.Contract):
    """An event of teams."""

    event = f.text("Its id.", example=_EVENT)
    name = f.text("Its name.", example="Spring Cup")
    ruleset = f.extensible("The game that is played.", RULESETS, example="shengji")
    players = f.integer("Seats at a table, and players of a team.", example=4)
    status = f.extensible(
        "`entries`: teams can enter. `playing`: the first round has begun. `over`: it has ended.",
        ("entries", "playing", "over"),
    )
    members_only = f.flag("Whether only members of a club may enter.")
    created_at = f.time("When it was created.")
    form = f.extensible("Who meets whom; see `POST /v1/team-events`.", FORMS, example=SWISS)
    size = f.integer("How many people a team has.", example=4)
    winners = f.integer("How many rankings there are.", example=1)
    league = f.extensible(
        "How the matches of a league begin; see `POST /v1/team-events`. Null: it is none.",
        LEAGUES,
        nullable=True,
        example=None,
    )
    ranks = f.array(
        f.extensible("A criterion.", CRITERIA),
        f"What decides the rank, one after the other. {_CRITERIA}",
        example=["victory_points", "steps"],
    )
    rounds = f.integer("How many rounds there are; before the first one, with the teams entered so far.", example=5)
    round = f.integer("The last one that has begun; 0: none.", example=0)
    next_round_at = f.time(
        "When the next round of a league begins by itself; null: never.", nullable=True, example=None
    )
    boards = f.integer("Boards of each round; in an arena, of each table.", example=4)
    round_ms = f.integer("How long a round lasts at most; in an arena, how long tables begin.", example=3_600_000)
    ai_after_ms = f.integer(
        "How long somebody waits in an arena before AI players take the free seats; null: they never do.",
        nullable=True,
        example=None,
    )
    teams = f.integer("How many have entered.", example=16)


class ListedTeamEvent(TeamEventSummary):
    """An event of teams in the list."""

    mine = f.nested(OwnPart, "What the caller has to do with it.")


class TeamEventsQuery(Page):
    """A page of events of teams."""

    limit = f.integer("Most events of the page.", 1, MOST_LISTED, query=True, default=MOST_LISTED)


class TeamEventList(f.Contract):
    """The latest events of teams."""

    items = f.array(f.nested(ListedTeamEvent), "The latest first.")
    next_cursor = next_cursor()


class TeamEvent(TeamEventSummary):
    """An event of teams with its teams and rounds."""

    entries = f.array(f.nested(TeamOfEvent), "The teams.")
    played = f.array(f.nested(RoundOfEvent), "The rounds that have begun.")
    commitments = f.array(
        f.text(""), "SHA-256 of the server seed of each board, in order.", example=["sha256:66687aadf862bd77…"]
    )
    showing = f.nested(ShowingRules, "How it is shown to those who watch; null: it is not.", nullable=True)
    directors = f.array(f.nested(DirectorOfEvent), "Who directs it, first who leads it.")
    takes_entries = f.flag(
        "Whether teams may enter now; once a round has begun, they play from the next one on; in an arena, while "
        "tables begin."
    )
    by_link = f.flag("Whether only those enter who have the link of its directors.")
    link = f.nested(EntryLink, "The link, for its directors; null: none, or the caller is none.", nullable=True)
    notes = f.array(f.nested(NoteOfEvent), "What directors have told all entrants: the last 20, the latest first.")
    mine = f.nested(OwnTeam, "What the caller has to do with it.")


class ResultOfRoom(ResultOfSeat):
    """The result of a room on a board."""

    value = f.integer(
        "What is compared: points of the side of seat 0 beyond those with which it wins, or its lead in scores; null: "
        "the game broke off, or an AI has played too much of it.",
        nullable=True,
        example=5,
    )


class ShareOfBoard(f.Contract):
    """What a board counts for somebody."""

    percent = f.number("Matchpoints, as a percentage of the most possible ones.", example=62.5)
    steps = f.number("The mean of the steps between its result and that of each other table.", example=1.75)


class SeatOfBoard(f.Contract):
    """What a board of an arena counts for a seat."""

    outcome = f.extensible("Null: it does not count.", ("won", "drawn", "lost"), nullable=True, example="won")
    lead = f.integer(
        "By how many points the seat is ahead, as `value` of the result; null: it was not played to its end.",
        nullable=True,
        example=5,
    )


class BoardOfMatch(f.Contract):
    """A board of a match, played in two rooms with sides swapped; in events of pairs, in one."""

    number = f.integer("Its number in the event.", example=1)
    level = f.text(f"The level of all seats; {NOT_IN_ARMS}", nullable=True, example="2")
    starter = f.integer("The seat that draws first.", example=0)
    commitment = f.text(
        "The commitment to its deal, published before it was played.", example="sha256:66687aadf862bd77…"
    )
    server_seed = f.text("Its server seed, in hexadecimal.")
    drawn_from = f.text(
        "Where each match has deals of its own, the seed of the board, of which `commitments` has the hash: the server "
        "seed is the HMAC-SHA256 of `match <number of the pair>` with it as the key. Else null.",
        nullable=True,
        example=None,
    )
    shuffle_name = f.text("Identifies it in the shuffle.", example=f"{_EVENT}_1")
    rooms = f.array(
        f.nested(ResultOfRoom, nullable=True),
        "In the first room, the first team has the even seats, in the second room the odd ones; null: not over in "
        "time. In events of pairs there is one room.",
    )
    points = f.integer(
        "By how many points the first team is ahead; null: it cannot be compared.", nullable=True, example=20
    )
    steps = f.integer("What it counts for the first team, in steps; in events of pairs rounded.", example=2)
    shares = f.array(
        f.nested(ShareOfBoard),
        "In events of pairs: what it counts for each, compared with all other tables; else null.",
        nullable=True,
        example=None,
    )
    seats = f.array(
        f.nested(SeatOfBoard), "In an arena: what it counts for each seat; else null.", nullable=True, example=None
    )
    split = f.array(
        f.integer(""),
        "Steps of both teams, if the director has decided that they do not add up to 0; else null.",
        nullable=True,
        example=None,
    )
    counted = f.extensible(
        "`played`: by the points. `adjusted`: it cannot be compared; a team gets 12 steps if only the other one is to "
        "blame. "
        "`director`: by the director's ruling.",
        ("played", "adjusted", "director"),
    )
    reason = f.text("The director's reason; null: no ruling.", nullable=True, example=None)


class TeamMatch(f.Contract):
    """A match of a round that is over."""

    match = f.text("Its id: numbers of the round and the pair.", example=_MATCH)
    round = f.integer("Number of the round.", example=1)
    teams = f.array(f.text(""), "Both teams.", example=[_TEAM, "tm_house"])
    names = f.array(f.text(""), "Their names.", example=["Dragons", "AI"])
    steps = f.integer(
        "Steps of the first team; those of the second are the reverse, unless a board has a `split`.", example=7
    )
    victory_points = f.array(
        f.number(""), "Victory points of both teams: 20 in all, unless a board has a `split`.", example=[15.06, 4.94]
    )
    boards = f.array(f.nested(BoardOfMatch), "Board by board.")


class MatchOfTeam(f.Contract):
    """The outcome of a match for a team."""

    round = f.integer("Number of the round.", example=1)
    match = f.text("Its id.", example=_MATCH)
    opponent = f.text("The other team.", example="tm_house")
    opponents = f.array(f.text(""), "All opponents.", example=["tm_house"])
    partner = f.text("The partner, in events of single players; else null.", nullable=True, example=None)
    steps = f.integer("Steps by which the team is ahead.", example=7)
    victory_points = f.number("Its victory points.", example=15.06)
    percent = f.number("Mean percentage of its boards; null: of teams.", nullable=True, example=None)
    adjusted = f.integer("Boards that could not be compared, or that have a ruling.", example=0)
    points = f.array(
        f.integer("", nullable=True),
        "In an arena, the points of each board, null if it does not count; else null.",
        nullable=True,
        example=None,
    )


class RankedBy(f.Contract):
    """What a team has by a criterion."""

    name = f.extensible("The criterion.", CRITERIA, example="victory_points")
    value = f.number("What the team has; null: not needed, as no other was equal.", nullable=True, example=61.25)


class TeamStanding(f.Contract):
    """A team in the standings."""

    rank = f.integer("Place; teams that are equal by all criteria share one.", example=1)
    team = f.text("The team.", example=_TEAM)
    name = f.text("Its name.", example="Dragons")
    victory_points = f.number("Sum over all matches, of teams without the penalty.", example=61.25)
    steps = f.integer("Sum over all matches.", example=14)
    percent = f.number(
        "Mean percentage of all boards, without the penalty; null: of teams, or none.", nullable=True, example=None
    )
    points = f.number("Points in an arena, less the penalty; null: another form.", nullable=True, example=None)
    streak = f.integer(
        "Boards won in a row in an arena: from two on, the next one counts double; null: another form.",
        nullable=True,
        example=None,
    )
    played = f.integer("How many matches it has played; in an arena, tables.", example=5)
    penalty = f.number(
        "What the director has taken off: victory points or, of pairs and players, percent; in an arena, points.",
        example=0,
    )
    penalty_reason = f.text("The director's reason; null: no penalty.", nullable=True, example=None)
    margin = f.integer("Lead in points, sum over all boards that can be compared.", example=95)
    drawn = f.integer("Its place in the draw; null: there is none, or AI players have it.", nullable=True, example=None)
    line = f.integer("The line in which it is ranked, 1 or 2; null: there is one ranking.", nullable=True, example=None)
    criteria = f.array(f.nested(RankedBy), "Why it has this rank, in the order of `ranks` of the event.")
    matches = f.array(f.nested(MatchOfTeam), "Its matches, in order; of an arena, only `GET …/results` has them.")
    withdrawn = f.flag("Whether it plays no more rounds.")


class TeamStandings(f.Contract):
    """The standings after the rounds that are over."""

    rounds = f.integer("Number of rounds that are over.", example=3)
    items = f.array(f.nested(TeamStanding), "The best first.")
    next_cursor = f.text("Always null: all teams are in `items`.", nullable=True)


class ActOfDirector(f.Contract):
    """What a director has done."""

    number = f.integer("Its number in the log, from 1 on.", example=7)
    at = f.time("When.")
    by = f.text("The director (id); null: the account was deleted.", nullable=True, example="pl_4f7h2k9qm3xa")
    name = f.text("The director's name; null: unknown.", nullable=True, example="Lin")
    plays = f.flag("Whether the director played in the event.")
    what = f.extensible(
        "`round_begun`, `round_changed` (its end), `ruled` on a board or a match, `ruling_withdrawn`, `penalty`, "
        "`undone` (a ruling or penalty was taken back), `teams_entered`, `team_changed`, `team_withdrawn`, `closed`, "
        "`director_named`, `director_removed`, `lead_taken`, `note_sent`, "
        "`link_made`, `link_ended`.",
        ACTS,
        example="ruled",
    )
    reason = f.text("Why; null: none was given, or the round is not over.", nullable=True, example="Wrong seats")
    round = f.integer("The round that it is about, or null.", nullable=True, example=1)
    match = f.text("The match, or null.", nullable=True, example=_MATCH)
    board = f.integer("The board, or null.", nullable=True, example=3)
    team = f.text("The team, or null.", nullable=True, example=None)
    player = f.text("Who got an office or lost it, or null.", nullable=True, example=None)
    player_name = f.text("The name of that player; null: unknown.", nullable=True, example=None)
    note = f.text("The note that was sent, or null; `notes` of the event has it.", nullable=True, example=None)
    values = f.array(
        f.number(""),
        "Of a ruling, steps or percentages of both sides; of a penalty, its amount; else, and as long as the round is "
        "not over, null.",
        nullable=True,
        example=[3, -3],
    )
    undoes = f.integer("The act that was taken back, or null.", nullable=True, example=None)


class LogOfEvent(f.Contract):
    """What directors have done in an event."""

    items = f.array(f.nested(ActOfDirector), "The latest first.")
    undo = f.integer(
        "The number of the ruling or penalty that can be taken back, the last one; null: none.",
        nullable=True,
        example=7,
    )
    next_cursor = next_cursor()


class TeamResults(f.Contract):
    """All results of an event so far."""

    event = f.nested(TeamEventSummary)
    rounds = f.array(f.nested(RoundOfEvent), "The rounds that are over.")
    standings = f.array(f.nested(TeamStanding), "The best first.")
    matches = f.array(f.nested(TeamMatch), "The matches of all rounds that are over.")
