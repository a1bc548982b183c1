"""The trick on the table of a simulated round."""

from service.rules.tricks.leads import Lead


class Trick:
    """The trick on the table.

    Attributes:
        lead: the lead as read; `group`: its suit; `number`: its number of cards.
        best: indices of the winning play so far; `best_seat`: its seat.
        points: points of the cards played.
        seat: next seat to play; `to_come`: number of seats still to play.
        size: number of cards of a seat that has not played yet.
    """

    __slots__ = ("best", "best_seat", "group", "lead", "number", "points", "seat", "size", "to_come")

    def __init__(
        self, lead: Lead, best: list[int], best_seat: int, points: int, seat: int, to_come: int, size: int
    ) -> None:
        self.lead, self.group, self.number = lead, lead.group, lead.size
        self.best, self.best_seat = best, best_seat
        self.points, self.seat, self.to_come, self.size = points, seat, to_come, size

    def copy(self) -> "Trick":
        """Return a copy that may be played independently."""
        return Trick(self.lead, self.best, self.best_seat, self.points, self.seat, self.to_come, self.size)
