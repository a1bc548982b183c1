"""Changes of the teams and rounds of an event, as pure functions from one state to the next.

`TeamStore.change` calls them again if the state was changed meanwhile.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from service.boards.deals import AI_LEVEL
from service.boards.errors import EventClosed
from service.game.errors import NameHeld, NotFound
from service.game.names import AI_NAME
from service.game.views.fields import timestamp
from service.store.boards.events import StoredEvent
from service.store.tournaments.teams import Absence, Member, Play, Round, Team, players_of, without
from service.tournaments.errors import EntriesClosed, InAnotherTeam, NotDirector, RoundClosed, TooManyTeams

#: Most teams of which everybody has agreed, and most others, which keep nobody out.
MOST_TEAMS: Final = 64
#: Id of the AI team that makes an odd number of teams even.
HOUSE: Final = "tm_house"


# --- checks -----------------------------------------------------------------------------------------------------------


def check_director(event: StoredEvent, play: Play, player: str) -> None:
    """Check that a player directs an event.

    Raises:
        NotDirector: the player does not direct it.
    """
    if play["director"] != player:
        raise NotDirector(event=event["id"])


def check_open(event: StoredEvent, play: Play, now: int) -> None:
    """Check that an event is open.

    Raises:
        EventClosed: the director has closed it, or its time is over.
    """
    ended = ended_at(event, play)
    if now >= ended:
        raise EventClosed(event=event["id"], closed_at=timestamp(ended))


def ended_at(event: StoredEvent, play: Play) -> int:
    """Return the end of an event (ms), as far as known."""
    return event["closes_at"] if play["closed_at"] is None else play["closed_at"]


def is_over(entry: Round, now: int) -> bool:
    """Return whether a round is over, so that its boards are no longer sealed."""
    return entry["closed_at"] is not None or now >= entry["closes_at"]


def is_complete(team: Team) -> bool:
    """Return whether a team is complete and all members have agreed."""
    return all(member["is_confirmed"] for member in team["members"])


def team_of(play: Play, team: str) -> Team:
    """Return a team.

    Raises:
        NotFound: the event has none with this id.
    """
    found = play["teams"].get(team)
    if found is None:
        raise NotFound(what="team", id=team)
    return found


def round_of(play: Play, number: int) -> Round:
    """Return a round that has begun.

    Raises:
        NotFound: there is none with this number.
    """
    if not 1 <= number <= len(play["rounds"]):
        raise NotFound(what="round", id=number)
    return play["rounds"][number - 1]


def ai_member(number: int, level: str) -> Member:
    """Return an AI player of a team."""
    return {"player": None, "name": AI_NAME.format(number + 1), "kind": "ai", "level": level, "is_confirmed": True}


# --- teams ------------------------------------------------------------------------------------------------------------


def entered(event: StoredEvent, play: Play, teams: Mapping[str, Team], by: str, now: int) -> Play:
    """Return an event with more teams, ignoring those with the same name and members as an existing one.

    If that one has withdrawn, it comes back: entered again by its captain or the director.

    Raises:
        EntriesClosed: the first round has begun.
        InAnotherTeam: a player has agreed to play for another team.
        TooManyTeams: there would be too many teams.
    """
    found = dict(play["teams"])
    known = {_likeness(team): name for name, team in found.items()}
    for name, team in teams.items():
        same = known.get(_likeness(team))
        if same is None:
            _check_members(found, name, team["members"])
            found[name] = team
        elif found[same]["is_withdrawn"]:
            if by not in (play["director"], found[same]["captain"]):
                raise EntriesClosed(event=event["id"])
            found[same] = _back(play, found, same, now)
    if len(found) == len(play["teams"]):
        return {**play, "teams": found}
    if play["rounds"]:
        raise EntriesClosed(event=event["id"])
    _check_number(found)
    return {**play, "teams": found}


def _check_number(teams: Mapping[str, Team]) -> None:
    complete = sum(is_complete(team) and not team["is_house"] for team in teams.values())
    if max(complete, len(teams) - complete) > MOST_TEAMS:
        raise TooManyTeams(limit=MOST_TEAMS)


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


def _first_to_count(play: Play, now: int) -> int:
    """Return the number of the first round that is not over, which a withdrawal or a return now still affects."""
    return 1 + sum(is_over(entry, now) for entry in play["rounds"])


def _back(play: Play, teams: Mapping[str, Team], name: str, now: int) -> Team:
    """Return a withdrawn team that plays again.

    Raises:
        InAnotherTeam: one of its members has agreed to play for another team.
    """
    team = teams[name]
    for player in confirmed_in(team):
        _check_free(teams, name, player)
    absences = team.get("absences", [])
    number = _first_to_count(play, now)
    ended: list[Absence] = [{**each, "until": number} if each["until"] is None else each for each in absences]
    return {**team, "is_withdrawn": False, "absences": ended}


def was_withdrawn(play: Play, team: str, number: int) -> bool:
    """Return whether a team had withdrawn when a round ended; of one that runs, whether it has.

    Where that was not noted, the team counts as withdrawn in the last round in which it was paired.
    """
    found = play["teams"][team]
    if "absences" not in found:
        paired = [at for at, each in enumerate(play["rounds"], 1) if any(team in pair for pair in each["pairs"])]
        return found["is_withdrawn"] and number == paired[-1]
    return any(
        each["since"] <= number and (each["until"] is None or number < each["until"]) for each in found["absences"]
    )


def replaced(event: StoredEvent, play: Play, team: str, name: str, members: Sequence[Member], now: int) -> Play:
    """Return an event in which a team has other members; those who agreed before need not agree again.

    If it has withdrawn, it comes back.

    Raises:
        InAnotherTeam: somebody has agreed to play for another team.
        NameHeld: an operator has named the team.
    """
    before = team_of(play, team)
    if before.get("is_name_held") and name != before["name"]:
        raise NameHeld(until=timestamp(event["closes_at"]))
    _check_members(play["teams"], team, members)
    agreed = {member["player"] for member in before["members"] if member["is_confirmed"]} - {None}
    new: list[Member] = [
        {**member, "is_confirmed": member["is_confirmed"] or member["player"] in agreed} for member in members
    ]
    after = _with_team(play, team, {**before, "name": name, "members": new})
    return _with_team(after, team, _back(after, after["teams"], team, now)) if before["is_withdrawn"] else after


def renamed(play: Play, team: str, name: str) -> Play:
    """Return an event in which an operator has named a team."""
    return _with_team(play, team, {**team_of(play, team), "name": name, "is_name_held": True})


def _team_of_member(play: Play, team: str, player: str) -> Team:
    found = team_of(play, team)
    if not any(member["player"] == player for member in found["members"]):
        raise NotFound(what="team", id=team)
    return found


def confirmed(play: Play, team: str, player: str) -> Play:
    """Return an event in which a member has agreed to play for a team.

    Raises:
        NotFound: the team has no such member.
        InAnotherTeam: the player has agreed to play for another team.
        TooManyTeams: there would be too many complete teams.
    """
    found = _team_of_member(play, team, player)
    _check_free(play["teams"], team, player)
    members: list[Member] = [
        {**member, "is_confirmed": True} if member["player"] == player else member for member in found["members"]
    ]
    after = _with_team(play, team, {**found, "members": members})
    _check_number(after["teams"])
    return after


def emptied(play: Play, team: str, player: str) -> Play:
    """Return an event in which the place of a member who has not agreed is empty."""
    return _with_team(play, team, without(team_of(play, team), player))


def left(event: StoredEvent, play: Play, team: str, player: str) -> Play:
    """Return an event in which a member has left a team; a team without people is removed.

    Raises:
        NotFound: the team has no such member.
        EntriesClosed: the first round has begun.
    """
    found = _team_of_member(play, team, player)
    if play["rounds"]:
        raise EntriesClosed(event=event["id"])
    rest = without(found, player)
    others = [member["player"] for member in rest["members"] if member["player"] is not None]
    if not others:
        return withdrawn(play, team, now=0)
    return _with_team(play, team, {**rest, "captain": rest["captain"] or others[0]})


def withdrawn(play: Play, team: str, now: int) -> Play:
    """Return an event with a team withdrawn; after the first round has begun, it stays in the standings."""
    found = team_of(play, team)
    if found["is_withdrawn"]:
        return play
    if play["rounds"]:
        absences: list[Absence] = [*found.get("absences", []), {"since": _first_to_count(play, now), "until": None}]
        return _with_team(play, team, {**found, "is_withdrawn": True, "absences": absences})
    return {**play, "teams": {name: each for name, each in play["teams"].items() if name != team}}


def place_of(play: Play, player: str) -> tuple[str, int] | None:
    """Return the team of a player and the place in it: the one that the player plays for, else the first to ask."""
    if player not in players_of(play):
        return None
    places = [
        (not member["is_confirmed"], name, at)
        for name, team in play["teams"].items()
        for at, member in enumerate(team["members"])
        if member["player"] == player
    ]
    return min(places, key=lambda place: place[0])[1:]


def with_house(play: Play, players: int) -> Play:
    """Return an event with the AI team added if the number of teams is odd."""
    house: Team = {
        "name": "AI",
        "captain": None,
        "members": [ai_member(number, AI_LEVEL) for number in range(players)],
        "is_withdrawn": False,
        "is_house": True,
    }
    return play if HOUSE in play["teams"] else _with_team(play, HOUSE, house)


def _with_team(play: Play, name: str, team: Team) -> Play:
    return {**play, "teams": {**play["teams"], name: team}}


# --- rounds -----------------------------------------------------------------------------------------------------------


def with_round(play: Play, pairs: Sequence[tuple[str, str]], opened_at: int, closes_at: int) -> Play:
    """Return an event whose next round has begun."""
    new: Round = {
        "opened_at": opened_at,
        "closes_at": closes_at,
        "closed_at": None,
        "is_scored": False,
        "pairs": [list(pair) for pair in pairs],
        "opened": 0,
    }
    return {**play, "rounds": [*play["rounds"], new]}


def opened(play: Play, number: int, rooms: int) -> Play:
    """Return an event with the first tables of so many rooms of a round opened."""
    found = round_of(play, number)
    return play if found.get("opened", 0) >= rooms else _with(play, number, {**found, "opened": rooms})


def extended(event: StoredEvent, play: Play, number: int, closes_at: int, now: int) -> Play:
    """Return an event with a different end of a round (ms), at most the end of the event.

    Raises:
        RoundClosed: the round is over.
    """
    found = round_of(play, number)
    if is_over(found, now):
        raise RoundClosed(round=number)
    return _with(play, number, {**found, "closes_at": min(max(closes_at, now), event["closes_at"])})


def round_closed(play: Play, number: int, now: int) -> Play:
    """Return an event with a round closed, now or at its end if that has passed."""
    found = round_of(play, number)
    if found["closed_at"] is not None:
        return play
    return _with(play, number, {**found, "closed_at": min(now, found["closes_at"])})


def scored(play: Play, number: int) -> Play:
    """Return an event with a finished round marked as scored."""
    return _with(play, number, {**round_of(play, number), "is_scored": True})


def _with(play: Play, number: int, entry: Round) -> Play:
    rounds = list(play["rounds"])
    rounds[number - 1] = entry
    return {**play, "rounds": rounds}


def ruled(play: Play, where: str, steps: int | None, reason: str, now: int) -> Play:
    """Return an event with a ruling on a board (`<round>-<pair>-<board>`).

    Args:
        steps: steps for the first team; None withdraws the ruling.
    """
    rulings = {name: ruling for name, ruling in play["rulings"].items() if name != where}
    if steps is not None:
        rulings[where] = {"steps": steps, "reason": reason, "at": now}
    return {**play, "rulings": rulings}
