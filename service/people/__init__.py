"""People: blocks, friends, presence, and invitations to a table.

Tables do not depend on this package. It is called where people can meet: when somebody sits down or is invited, and
when a game begins.
"""

from service.people.people import People

__all__ = ["People"]
