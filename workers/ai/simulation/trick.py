"""The trick on the table of a simulated round."""

from service.rules.tricks.leads import Lead


class Trick:
    """The trick on the table.

    Attributes:
        lead: the lead as read; `group`: its suit; `number`: its number of cards.
        top: the lowest card of the winning play so far, its only one if all its cards are alike; `best_seat`: its seat.
        points: points of the cards played.
        seat: next seat to play; `to_come`: number of seats still to play.
        size: number of cards of a seat that has not played yet.
    """

    __slots__ = ("best_seat", "group", "lead", "number", "points", "seat", "size", "to_come", "top", "varied")

    def __init__(
        self, lead: Lead, best: list[int], best_seat: int, points: int, seat: int, to_come: int, size: int
    ) -> None:
        self.lead, self.group, self.number = lead, lead.group, lead.size
        self.points, self.seat, self.to_come, self.size = points, seat, to_come, size
        self.win(best, best_seat)

    def win(self, cards: list[int], seat: int) -> None:
        """Set the winning play so far."""
        #: The cards of the winning play; None: they are alike.
        self.varied: list[int] | None = cards
        self.top, self.best_seat = cards[0], seat

    def win_alike(self, card: int, seat: int) -> None:
        """Set the winning play so far, whose cards are alike."""
        self.top, self.best_seat, self.varied = card, seat, None

    @property
    def best(self) -> list[int]:
        """The indices of the winning play so far."""
        return [self.top] * self.number if self.varied is None else self.varied

    def copy(self) -> "Trick":
        """Return a copy that may be played independently."""
        return Trick(self.lead, self.best, self.best_seat, self.points, self.seat, self.to_come, self.size)
