"""Schemas of accounts of an event that share something."""

from service.api.schemas import fields as f
from service.api.schemas.common import next_cursor


class AlikePlayer(f.Contract):
    """An entrant."""

    player = f.text("The player.", example="pl_x5q2k7d3m4na")
    name = f.text("The name at the time of the entry.", example="Lin")


class AlikeGroup(f.Contract):
    """Players who share something."""

    shares = f.extensible("What they share: the address, or a browser at one address.", ("address", "browser"))
    players = f.array(f.nested(AlikePlayer), "Two or more of them.")


class AlikePlayers(f.Contract):
    """Players of an event who may be one person."""

    items = f.array(f.nested(AlikeGroup), "The groups, at most 200.")
    next_cursor = next_cursor()
