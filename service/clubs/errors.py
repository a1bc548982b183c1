"""Refusals about clubs."""

from service.common.errors import Refusal


class TooManyClubs(Refusal):
    """The player belongs to, asks to join, or owns as many clubs as are allowed. `params`: `limit`."""

    code = "too-many-clubs"


class ClubFull(Refusal):
    """The club has as many members, requests, officers or seasons as are allowed. `params`: `limit`, `what`."""

    code = "club-full"


class RemovedFromClub(Refusal):
    """The player was removed from the club."""

    code = "removed-from-club"


class ClubRoleNeeded(Refusal):
    """Only an owner, or an owner or director, of the club may do this. `params`: `role`."""

    code = "club-role-needed"


class SeasonOver(Refusal):
    """The season of a club has ended, and stays as it is. `params`: `season`, `ended_at`."""

    code = "season-over"


class LastOwner(Refusal):
    """The player is the only owner of a club to which others belong."""

    code = "last-owner"
