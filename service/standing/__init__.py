"""Standing orders: what a player has told a table that takes days to do in their place, and its carrying out.

Nothing about orders is in the log or the state of a table, so nobody else can learn of them: they lie beside it
(`service.store.players.standing_orders`), and what they do is a command of the player like any other. Tables know
nothing of what an order says; they ask `StandingOrders` when a decision has been open for a while
(`service.tables.ports.Standing`).
"""

from service.standing.standing import StandingOrders

__all__ = ["StandingOrders"]
