"""Refusals about circles, which players call rooms."""

from service.common.errors import Refusal


class TooManyRooms(Refusal):
    """The player belongs to as many rooms as are allowed. `params`: `limit`."""

    code = "too-many-rooms"


class RoomFull(Refusal):
    """The room has as many people as are allowed, of those who play or of those who watch. `params`: `limit`."""

    code = "room-full"


class RemovedFromRoom(Refusal):
    """The host has removed the player from the room."""

    code = "removed-from-room"


class OnlyWatching(Refusal):
    """The player only watches in this room."""

    code = "only-watching"
