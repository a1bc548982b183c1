"""People: blocks, friends, invitations."""

from service.api.schemas import chosen
from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS, next_cursor
from service.api.schemas.players import KINDS

TIES = ("friend", "asked", "asks")
PRESENCES = ("online", "playing", "offline")


def _player() -> f.Field:
    return f.text("Id of the player.", example="pl_x5q2k7d3m4na")


def _name() -> f.Field:
    return f.text("The name shown to others.", example="Mei")


class Block(f.Contract):
    """A player whom the caller has blocked."""

    player = _player()
    name = _name()
    since = f.time("Since when.")


class Blocks(f.Contract):
    """Whom the caller has blocked, latest last."""

    items = f.array(f.nested(Block), "The players.")
    next_cursor = next_cursor()


class Friend(f.Contract):
    """A friend, or somebody who might become one."""

    player = _player()
    name = _name()
    kind = f.extensible("A person, or a program.", KINDS)
    vars().update(chosen.shown_fields())
    state = f.extensible("`friend`; `asked`: the caller has asked; `asks`: waits for the caller's answer.", TIES)
    since = f.time("Since when.")
    presence = f.extensible(
        "Whether a friend is online or in a game; null: not a friend. Friends who hide their presence are `offline`.",
        PRESENCES,
        nullable=True,
    )
    table = f.text("Id of the public table where a friend plays; null: none.", nullable=True, example="tb_7h2kx5q2m4na")


class Friends(f.Contract):
    """Players who ask, then friends (online ones first), then players who have been asked."""

    items = f.array(f.nested(Friend), "The players.")
    next_cursor = next_cursor()


class InvitationRequest(f.Contract):
    """Whom to invite."""

    player = f.text("Id of the player.", 1, 60, pattern="^[A-Za-z0-9_-]+$", example="pl_x5q2k7d3m4na")


class SentInvitation(f.Contract):
    """An invitation, as shown to the inviter."""

    invitation = f.text("Its id; inviting again returns the same one.", example="in_5kx3q2m4na7h")
    table = f.text("Id of the table.", example="tb_7h2kx5q2m4na")
    player = f.text("Id of the player who is invited.", example="pl_x5q2k7d3m4na")


class Invitation(f.Contract):
    """An invitation that can still be taken."""

    invitation = f.text("Its id.", example="in_5kx3q2m4na7h")
    at = f.time("When it was sent.")
    table = f.text("Id of the table.", example="tb_7h2kx5q2m4na")
    ruleset = f.extensible("The game that is played.", RULESET_IDS)
    players = f.integer("Number of seats.", example=4)
    free = f.integer("Seats that are free.", example=2)
    player = f.text("Id of the player who invites.", example="pl_7mq2x5k3d4na")
    name = f.text("The name of that player.", example="Mei")
    join_code = f.text("The code to sit down with; null: the table is public.", nullable=True, example="K7PQ2M9X")


class Invitations(f.Contract):
    """Invitations to tables with a free seat, latest first."""

    items = f.array(f.nested(Invitation), "The invitations.")
    next_cursor = next_cursor()
