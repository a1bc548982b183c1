"""Changes of the teams and rounds of an event, as pure functions from one state to the next.

`TeamStore.change` calls them again if the state was changed meanwhile.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from service.boards.deals import AI_LEVEL
from service.boards.errors import EventClosed
from service.common.errors import InvalidRequest
from service.game.errors import NameHeld, NotFound
from service.game.names import AI_NAME
from service.game.views.fields import timestamp
from service.store.boards.events import StoredEvent
from service.store.tournaments.teams import Absence, Member, Progress, Round, Team, players_of, without
from service.tournaments.errors import EntriesClosed, InAnotherTeam, RoundClosed, TooManyTeams

#: Most teams of which everybody has agreed, and most others, which keep nobody out.
MOST_TEAMS: Final = 64
#: Id of the AI team that makes an odd number of teams even.
HOUSE: Final = "tm_house"


# --- checks -----------------------------------------------------------------------------------------------------------


def directs(progress: Progress, player: str) -> bool:
    """Return whether a player is one of the directors of an event."""
    return leads(progress, player) or player in progress.get("directors", {})


def leads(progress: Progress, player: str) -> bool:
    """Return whether a player is the director who names the others."""
    return progress["director"] == player


def check_open(event: StoredEvent, progress: Progress, now: int) -> None:
    """Check that an event is open.

    Raises:
        EventClosed: the director has closed it, or its time is over.
    """
    ended = ended_at(event, progress)
    if now >= ended:
        raise EventClosed(event=event["id"], closed_at=timestamp(ended))


def ended_at(event: StoredEvent, progress: Progress) -> int:
    """Return the end of an event (ms), as far as known."""
    return event["closes_at"] if progress["closed_at"] is None else progress["closed_at"]


def is_over(entry: Round, now: int) -> bool:
    """Return whether a round is over, so that its boards are no longer sealed."""
    return entry["closed_at"] is not None or now >= entry["closes_at"]


def is_complete(team: Team) -> bool:
    """Return whether a team is complete and all members have agreed."""
    return all(member["is_confirmed"] for member in team["members"])


def team_of(progress: Progress, team: str) -> Team:
    """Return a team.

    Raises:
        NotFound: the event has none with this id.
    """
    entry = progress["teams"].get(team)
    if entry is None:
        raise NotFound(what="team", id=team)
    return entry


def event_round(progress: Progress, number: int) -> Round:
    """Return a round that has begun.

    Raises:
        NotFound: there is none with this number.
    """
    if not 1 <= number <= len(progress["rounds"]):
        raise NotFound(what="round", id=number)
    return progress["rounds"][number - 1]


def shown_name(team: Team) -> str:
    """Return the name of a team; of one without a name, those of its members."""
    return team["name"] or " / ".join(member["name"] for member in team["members"] if member["name"]) or "–"


def ai_member(number: int, level: str) -> Member:
    """Return an AI player of a team."""
    return {"player": None, "name": AI_NAME.format(number + 1), "kind": "ai", "level": level, "is_confirmed": True}


# --- teams ------------------------------------------------------------------------------------------------------------


def entered(
    event: StoredEvent,
    progress: Progress,
    teams: Mapping[str, Team],
    by: str,
    now: int,
    *,
    most: int = MOST_TEAMS,
    most_ever: int = 0,
    is_late: bool = False,
    comes_back: bool = True,
) -> Progress:
    """Return an event with more teams, ignoring those with the same name and members as an existing one.

    If that one has withdrawn, it comes back: entered again by its captain or the director.

    Args:
        event, progress: the event.
        teams: id -> team.
        by: who enters them.
        now: the time (ms).
        most: most teams of which everybody has agreed, and most others.
        most_ever: most teams in all; those that have withdrawn count no more in `most` then. 0: they do.
        is_late: whether others may enter although the first round has begun.
        comes_back: whether a team that has withdrawn comes back.

    Raises:
        InvalidRequest: a director has withdrawn the team, and whoever enters it is none.
        EntriesClosed: the first round has begun.
        InAnotherTeam: a player has agreed to play for another team.
        TooManyTeams: there would be too many teams.
    """
    entries = dict(progress["teams"])
    known = {_likeness(team): name for name, team in entries.items()}
    for name, team in teams.items():
        same = known.get(_likeness(team))
        if same is None:
            _check_members(entries, name, team["members"])
            entries[name] = team
        elif entries[same]["is_withdrawn"] and comes_back:
            if by != entries[same]["captain"] and not directs(progress, by):
                raise EntriesClosed(event=event["id"])
            if entries[same].get("is_put_out", False) and not directs(progress, by):
                raise InvalidRequest(reason="put_out", field="teams")
            entries[same] = _back(progress, entries, same, now)
    if len(entries) > len(progress["teams"]) and progress["rounds"] and not is_late:
        raise EntriesClosed(event=event["id"])
    if entries != progress["teams"]:
        _check_number(entries, most, most_ever)
    return {**progress, "teams": entries}


def _check_number(teams: Mapping[str, Team], most: int, most_ever: int = 0) -> None:
    """Check that there are not too many teams; see `entered`.

    Raises:
        TooManyTeams: there are.
    """
    complete = [team for team in teams.values() if is_complete(team) and not team["is_house"]]
    counted = [team for team in complete if not (most_ever and team["is_withdrawn"])]
    if max(len(counted), len(teams) - len(complete)) > most:
        raise TooManyTeams(limit=most)
    if most_ever and len(teams) > most_ever:
        raise TooManyTeams(limit=most_ever)


def _likeness(team: Team) -> object:
    return team["name"], *((member["player"], member["level"]) for member in team["members"])


def _check_members(teams: Mapping[str, Team], name: str, members: Sequence[Member]) -> None:
    wanted = [member["player"] for member in members if member["player"] is not None]
    for player in wanted:
        if wanted.count(player) > 1:
            raise InAnotherTeam(player=player, team=name)
        _check_free(teams, name, player)


def _check_free(teams: Mapping[str, Team], name: str, player: str) -> None:
    """Check that a player has not agreed to play for another team than `name`."""
    for other, team in teams.items():
        if other != name and player in confirmed_in(team):
            raise InAnotherTeam(player=player, team=other)


def confirmed_in(team: Team) -> list[str]:
    """Return the players of a team who have agreed to play for it."""
    return [member["player"] for member in team["members"] if member["player"] is not None and member["is_confirmed"]]


def _first_to_count(progress: Progress, now: int) -> int:
    """Return the number of the first round that is not over, which a withdrawal or a return now still affects."""
    return 1 + sum(is_over(entry, now) for entry in progress["rounds"])


def _back(progress: Progress, teams: Mapping[str, Team], name: str, now: int) -> Team:
    """Return a withdrawn team that plays again.

    Raises:
        InAnotherTeam: one of its members has agreed to play for another team.
    """
    team = teams[name]
    for player in confirmed_in(team):
        _check_free(teams, name, player)
    absences = team.get("absences", [])
    number = _first_to_count(progress, now)
    ended: list[Absence] = [{**each, "until": number} if each["until"] is None else each for each in absences]
    # Who leaves and comes back within a round, again and again, has missed none.
    ended = [each for each in ended if each["since"] != each["until"]]
    back: Team = {**team, "is_withdrawn": False, "absences": ended}
    back.pop("is_put_out", None)
    return back


def was_withdrawn(progress: Progress, team: str, number: int) -> bool:
    """Return whether a team had withdrawn when a round ended; of one that runs, whether it has.

    Where that was not noted, the team counts as withdrawn in the last round in which it was paired.
    """
    entry = progress["teams"][team]
    if "absences" not in entry:
        paired = [
            at for at, each in enumerate(progress["rounds"], 1) if any(team in pair for pair in meetings_of(each))
        ]
        return entry["is_withdrawn"] and number == paired[-1]
    return any(
        each["since"] <= number and (each["until"] is None or number < each["until"]) for each in entry["absences"]
    )


def replaced(
    event: StoredEvent, progress: Progress, team: str, name: str, members: Sequence[Member], now: int
) -> Progress:
    """Return an event in which a team has other members; those who agreed before need not agree again.

    If it has withdrawn, it comes back.

    Raises:
        InAnotherTeam: somebody has agreed to play for another team.
        NameHeld: an operator has named the team.
    """
    before = team_of(progress, team)
    if before.get("is_name_held") and name != before["name"]:
        raise NameHeld(until=timestamp(event["closes_at"]))
    _check_members(progress["teams"], team, members)
    agreed = {member["player"] for member in before["members"] if member["is_confirmed"]} - {None}
    new: list[Member] = [
        {**member, "is_confirmed": member["is_confirmed"] or member["player"] in agreed} for member in members
    ]
    after = _with_team(progress, team, {**before, "name": name, "members": new})
    return _with_team(after, team, _back(after, after["teams"], team, now)) if before["is_withdrawn"] else after


def renamed(progress: Progress, team: str, name: str) -> Progress:
    """Return an event in which an operator has named a team."""
    return _with_team(progress, team, {**team_of(progress, team), "name": name, "is_name_held": True})


def _team_of_member(progress: Progress, team: str, player: str) -> Team:
    entry = team_of(progress, team)
    if not any(member["player"] == player for member in entry["members"]):
        raise NotFound(what="team", id=team)
    return entry


def confirmed(progress: Progress, team: str, player: str, most: int = MOST_TEAMS, most_ever: int = 0) -> Progress:
    """Return an event in which a member has agreed to play for a team; `most`, `most_ever`: see `entered`.

    Raises:
        NotFound: the team has no such member.
        InAnotherTeam: the player has agreed to play for another team.
        TooManyTeams: there would be too many complete teams.
    """
    entry = _team_of_member(progress, team, player)
    _check_free(progress["teams"], team, player)
    members: list[Member] = [
        {**member, "is_confirmed": True} if member["player"] == player else member for member in entry["members"]
    ]
    after = _with_team(progress, team, {**entry, "members": members})
    _check_number(after["teams"], most, most_ever)
    return after


def emptied(progress: Progress, team: str, player: str) -> Progress:
    """Return an event in which the place of a member who has not agreed is empty."""
    return _with_team(progress, team, without(team_of(progress, team), player))


def left(event: StoredEvent, progress: Progress, team: str, player: str) -> Progress:
    """Return an event in which a member has left a team; a team without people is removed.

    Raises:
        NotFound: the team has no such member.
        EntriesClosed: the first round has begun.
    """
    entry = _team_of_member(progress, team, player)
    if progress["rounds"]:
        raise EntriesClosed(event=event["id"])
    rest = without(entry, player)
    others = [member["player"] for member in rest["members"] if member["player"] is not None]
    if not others:
        return withdrawn(progress, team, now=0)
    return _with_team(progress, team, {**rest, "captain": rest["captain"] or others[0]})


def withdrawn(progress: Progress, team: str, now: int, *, is_put_out: bool = False) -> Progress:
    """Return an event with a team withdrawn; after the first round has begun, it stays in the standings.

    `is_put_out`: whether only a director brings it back.
    """
    entry = team_of(progress, team)
    if is_put_out and progress["rounds"] and not entry.get("is_put_out", False):
        entry = {**entry, "is_put_out": True}
        progress = _with_team(progress, team, entry)
    if entry["is_withdrawn"]:
        return progress
    if progress["rounds"]:
        absences: list[Absence] = [*entry.get("absences", []), {"since": _first_to_count(progress, now), "until": None}]
        return _with_team(progress, team, {**entry, "is_withdrawn": True, "absences": absences})
    return {**progress, "teams": {name: each for name, each in progress["teams"].items() if name != team}}


def plays(progress: Progress, player: str) -> bool:
    """Return whether a player has agreed to play for a team, even for one that has withdrawn."""
    return any(player in confirmed_in(team) for team in progress["teams"].values())


def place_of(progress: Progress, player: str) -> tuple[str, int] | None:
    """Return the team of a player and the place in it: the one that the player plays for, else the first to ask."""
    if player not in players_of(progress):
        return None
    places = [
        (not member["is_confirmed"], name, at)
        for name, team in progress["teams"].items()
        for at, member in enumerate(team["members"])
        if member["player"] == player
    ]
    # A director need not play.
    return min(places, key=lambda place: place[0])[1:] if places else None


def with_house(progress: Progress, players: int) -> Progress:
    """Return an event with the AI team added if the number of teams is odd."""
    house: Team = {
        "name": "AI",
        "captain": None,
        "members": [ai_member(number, AI_LEVEL) for number in range(players)],
        "is_withdrawn": False,
        "is_house": True,
    }
    return progress if HOUSE in progress["teams"] else _with_team(progress, HOUSE, house)


def _with_team(progress: Progress, name: str, team: Team) -> Progress:
    return {**progress, "teams": {**progress["teams"], name: team}}


# --- rounds -----------------------------------------------------------------------------------------------------------


def with_round(progress: Progress, pairs: Sequence[Sequence[str]], opened_at: int, closes_at: int) -> Progress:
    """Return an event whose next round has begun; without a pair, it is over."""
    is_over = not pairs
    new: Round = {
        "opened_at": opened_at,
        "closes_at": opened_at if is_over else closes_at,
        "closed_at": opened_at if is_over else None,
        "is_scored": is_over,
        "pairs": [list(pair) for pair in pairs],
        "opened": 0,
    }
    return {**progress, "rounds": [*progress["rounds"], new]}


def meetings_of(entry: Round) -> list[list[str]]:
    """Return the units that meet in a round, of each meeting."""
    return entry.get("tables", entry["pairs"])


def opened(progress: Progress, number: int, rooms: int) -> Progress:
    """Return an event with the first tables of so many rooms of a round opened."""
    current = event_round(progress, number)
    return progress if current.get("opened", 0) >= rooms else with_entry(progress, number, {**current, "opened": rooms})


def extended(event: StoredEvent, progress: Progress, number: int, closes_at: int, now: int) -> Progress:
    """Return an event with a different end of a round (ms), at most the end of the event.

    Raises:
        RoundClosed: the round is over.
    """
    current = event_round(progress, number)
    if is_over(current, now):
        raise RoundClosed(round=number)
    return with_entry(progress, number, {**current, "closes_at": min(max(closes_at, now), event["closes_at"])})


def round_closed(progress: Progress, number: int, now: int) -> Progress:
    """Return an event with a round closed, now or at its end if that has passed."""
    current = event_round(progress, number)
    if current["closed_at"] is not None:
        return progress
    return with_entry(progress, number, {**current, "closed_at": min(now, current["closes_at"])})


def scored(progress: Progress, number: int) -> Progress:
    """Return an event with a finished round marked as scored."""
    return with_entry(progress, number, {**event_round(progress, number), "is_scored": True})


def with_entry(progress: Progress, number: int, entry: Round) -> Progress:
    """Return an event with another state of a round."""
    rounds = list(progress["rounds"])
    rounds[number - 1] = entry
    return {**progress, "rounds": rounds}
