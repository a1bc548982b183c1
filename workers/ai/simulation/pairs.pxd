cimport cython
from workers.ai.simulation.selection cimport cheapest, discard, distinct, most_points, pairs_in, several
from workers.ai.simulation.singles cimport Singles
from workers.ai.simulation.trick cimport Trick
from workers.ai.simulation.world cimport World

cdef int LASTS, TRUMPS, _SECOND
cdef tuple BEATEN, LENGTH, PHASE, STAKE
cdef int _BEATEN, _GIVEN, _PHASE, _POINTS, _ROLE, _STAKE
cdef int LOSE, LOSE_POINTS, WIN, RUFF, OURS, OURS_SURE, THEIRS

cdef class Pairs(Singles):
    cdef dict _answers

    @cython.locals(
        group=int, suit=list, best=tuple, steady=bint, luck=list, at=int, most=double, score=double, cards=list,
        wins=bint, lucky=double,
    )
    cpdef tuple _pair(self, World world, Trick trick, int seat)

    @cython.locals(
        hand=list, points=tuple, group_of=tuple, lead=int, suit=list, left=list, plays=list, called=int, row=list,
        weights=list, ruffs=int, options=list, cards=list, one=int, other=int, wins=bint, worth=int, act=int,
        score=double, index=int, group=int, out=list, length=int, beaten=int, at=int,
    )
    cpdef list pairs(self, World world, Trick trick, int seat)

    @cython.locals(points=tuple, pairs=list, few=list, plays=list, one=int, rest=list)
    cdef list _in_suit_pairs(self, list suit)

    cdef list _joining(self, list hand, list suit, int called)

    @cython.locals(points=tuple, plays=list, higher=list, group=int, other=list, one=int, rest=list)
    cdef list _short(self, list hand, list suit, Trick trick)

    @cython.locals(lead=int, whose=int, to_come=int, scene=tuple)
    cdef list _pair_scores(self, World world, Trick trick, int seat)

    @cython.locals(
        weights=list, trumps=int, whose=int, to_come=int, at_stake=int, phase=int, role=int, place=int, row=list,
        act=int, points=int,
    )
    cdef list _pair_row(self, tuple scene)
