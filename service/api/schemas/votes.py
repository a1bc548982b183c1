"""Votes."""

from service.api.schemas import fields as f
from service.game.commands.table.votes import VOTES


class VoteProposal(f.Contract):
    """A vote to open."""

    kind = f.choice("`replace` lets an AI play for an absent player.", *VOTES)
    seat = f.integer("For `replace`: which seat.", 0, f.MOST_SEATS - 1, optional=True)


class Ballot(f.Contract):
    """A vote for or against. A player's last one counts, until the vote is decided."""

    approve = f.flag("For or against.")
