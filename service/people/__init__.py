"""People: blocks, friends, presence, and invitations to a table.

Tables know nothing of this room. It is asked where people can meet: when somebody sits down or is invited, and when a
game begins.
"""

from service.people.people import People

__all__ = ["People"]
