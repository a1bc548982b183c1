"""Whist movements: everybody is the partner of everybody once, and an opponent twice.

E. H. Moore, *Tactical Memoranda I-III*, Amer. J. Math. 18 (1896), and I. Anderson, *Combinatorial Designs and
Tournaments* (1997), whose constructions these are: a first round from which the others follow by adding the number of
the round to everybody but the last player, if there is one more than the cycle has. If 4n + 1 players are a power of a
prime, the tables of the first round are g^i, g^(i+n), g^(i+2n), g^(i+3n) for a primitive root g of the field; if they
are a power of 2, cosets of a subgroup of four; the others were searched. `tests/tournaments/test_movements.py` checks
all of them.

For 4n players there are 4n - 1 rounds. For 4n + 1 there are 4n + 1, and each sits out once.
"""

from typing import Final

#: Players -> the cycle (its parts, for a product of cycles) and the tables of the first round: seats in order, partners
#: opposite each other. Players are numbered from 0; in a product, by the sum of the parts, each times those before.
# fmt: off
FIRST: Final[dict[int, tuple[tuple[int, ...], tuple[tuple[int, int, int, int], ...]]]] = {
    4: (
        (3,),
        (
            (3, 0, 1, 2),
        ),
    ),
    5: (
        (5,),
        (
            (1, 2, 4, 3),
        ),
    ),
    8: (
        (7,),
        (
            (7, 0, 1, 3), (2, 6, 4, 5),
        ),
    ),
    9: (
        (3, 3),
        (
            (1, 4, 2, 8), (3, 7, 6, 5),
        ),
    ),
    12: (
        (11,),
        (
            (1, 2, 7, 5), (3, 4, 10, 6), (11, 8, 0, 9),
        ),
    ),
    13: (
        (13,),
        (
            (1, 8, 12, 5), (2, 3, 11, 10), (4, 6, 9, 7),
        ),
    ),
    16: (
        (15,),
        (
            (15, 0, 1, 4), (2, 8, 5, 10), (3, 14, 9, 7), (6, 13, 11, 12),
        ),
    ),
    17: (
        (17,),
        (
            (1, 13, 16, 4), (3, 5, 14, 12), (9, 15, 8, 2), (10, 11, 7, 6),
        ),
    ),
    20: (
        (19,),
        (
            (1, 4, 9, 10), (2, 14, 11, 15), (3, 18, 7, 16), (5, 13, 8, 6), (19, 12, 0, 17),
        ),
    ),
    21: (
        (21,),
        (
            (1, 2, 11, 8), (3, 7, 20, 9), (4, 19, 17, 16), (5, 10, 12, 15), (6, 13, 18, 14),
        ),
    ),
    24: (
        (23,),
        (
            (1, 15, 9, 11), (2, 5, 16, 17), (3, 10, 19, 7), (4, 22, 6, 12), (8, 18, 14, 13), (23, 20, 0, 21),
        ),
    ),
    25: (
        (5, 5),
        (
            (1, 2, 4, 3), (5, 10, 20, 15), (8, 11, 22, 19), (23, 16, 7, 14), (12, 24, 18, 6), (21, 17, 9, 13),
        ),
    ),
    28: (
        (27,),
        (
            (1, 9, 7, 17), (2, 20, 18, 25), (3, 10, 13, 24), (4, 19, 5, 22), (6, 12, 26, 21), (11, 16, 15, 14),
            (27, 8, 0, 23),
        ),
    ),
    29: (
        (29,),
        (
            (1, 12, 28, 17), (2, 24, 27, 5), (4, 19, 25, 10), (8, 9, 21, 20), (16, 18, 13, 11), (3, 7, 26, 22),
            (6, 14, 23, 15),
        ),
    ),
    32: (
        (31,),
        (
            (31, 0, 1, 18), (2, 5, 19, 11), (3, 29, 6, 27), (20, 8, 12, 23), (4, 10, 30, 17), (7, 22, 28, 26),
            (21, 25, 9, 16), (13, 14, 24, 15),
        ),
    ),
}
# fmt: on


def whist(players: int, number: int) -> list[tuple[int, ...]]:
    """Return the tables of a round, from 1 on, for 4 to 32 players, one of `FIRST`."""
    cycle, first = FIRST[players]
    return [tuple(_moved(player, number - 1, cycle) for player in table) for table in first]


def _moved(player: int, by: int, cycle: tuple[int, ...]) -> int:
    moved, weight = 0, 1
    rest = player
    for part in cycle:
        moved += (rest % part + by % part) % part * weight
        rest, by, weight = rest // part, by // part, weight * part
    return moved if player < weight else player
