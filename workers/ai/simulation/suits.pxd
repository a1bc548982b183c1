cimport cython
from workers.ai.simulation.selection cimport cheapest, lone, lowest_with_points, pairs_in
from workers.ai.simulation.tables cimport Weights

cdef int TRUMPS
cdef tuple BEATEN, POINTS_OUT, STAKE
cdef int _BEATEN, _ELSEWHERE, _KEPT, _POINTS, _REST, _SIZE
cdef int BOSS, BOSS_POINTS, LOW, LOW_POINTS, THROW, TOP
cdef int TRUMP_LOW, TRUMP_LOW_POINTS, TRUMP_THROW, TRUMP_TOP

cdef class SuitLeads:
    cdef public int others, safe
    cdef public list leads

cdef class Holding:
    cdef public list out, suit
    cdef public int far, pair, points, single

cdef class Suits:
    cdef public Weights weights
    cdef public tuple first, level, points, lines
    cdef public int other_seats
    cdef public str throws
    cdef dict _leads

    @cython.locals(key=tuple, known=SuitLeads, others=int)
    cpdef SuitLeads leads(self, int group, list suit, list left, int nobody)

    cpdef int share(self, int cards)

    @cython.locals(
        points=tuple, holding=Holding, leads=list, safe=list, units=int, pairs=list, kind=int, cards=list, top=int,
        boss=bint, doubled=int, low=int, size=int, rich=int,
    )
    cdef SuitLeads _side(self, int group, list suit, list out, int others)

    @cython.locals(weights=list, score=double)
    cdef tuple _side_lead(self, int kind, list cards, int size, Holding holding)

    @cython.locals(points=tuple, total=int, index=int)
    cdef int _stake(self, list cards)

    @cython.locals(
        points=tuple, holding=Holding, leads=list, safe=list, units=int, pairs=list, kind=int, cards=list, top=int,
        boss=bint, low=int, card=int,
    )
    cdef SuitLeads _trumps(self, list trumps, list out, int others)

    cdef tuple _trump_lead(self, int kind, list cards, int at_stake, Holding holding)

    @cython.locals(points=tuple, top=int, leads=list, rich=int, alone=int, at=int)
    cdef list _low_trumps(self, list trumps, int low)

    @cython.locals(
        weights=list, suit=list, top=int, number=int, beaten=int, out=list, at=int, left=int, again=bint, highest=int,
        rest=list, index=int, keeps=int, row=int,
    )
    cdef double _of_cards(self, int kind, list cards, Holding holding)

    @cython.locals(
        holding=Holding, level=tuple, points=tuple, total=int, index=int, at=int, own=int, copies=int,
    )
    cdef Holding _holding(self, list suit, list out, int others)

    @cython.locals(level=tuple, safe=list, units=int, tuples=list, at=int, index=int, width=int)
    cdef tuple _safe(self, list suit, int single, int pair)

    @cython.locals(cards=list, boss=bint, leads=list, index=int, width=int)
    cdef list _tuples(self, int group, list tuples, int pair, kinds)

    cdef tuple _best_tuple(self, int group, list tuples, int pair)
