cimport cython
from workers.ai.simulation.leading cimport Leading
from workers.ai.simulation.selection cimport cheap, distinct
from workers.ai.simulation.trick cimport Trick
from workers.ai.simulation.world cimport World

cdef int TRUMPS, _NEVER
cdef tuple BEATEN, LENGTH, PHASE, STAKE, TRUMP_LENGTH
cdef int _SUIT_BEATEN, _SUIT_BREAKS, _SUIT_FOES, _SUIT_MATES, _SUIT_PHASE, _SUIT_POINTS, _SUIT_RISK, _SUIT_ROLE
cdef int _SUIT_STAKE, _VOID_BREAKS, _VOID_FOES, _VOID_GIVEN, _VOID_PHASE, _VOID_POINTS, _VOID_RISK, _VOID_ROLE
cdef int _VOID_STAKE, _VOID_TRUMP
cdef int LOSE, LOSE_POINTS, WIN_HIGHEST, WIN_SO_FAR, WIN_LAST, GIVE, OVERRUFF, OURS_HIGHEST

cdef class Singles(Leading):
    cdef list _after, _to_come
    cdef dict _answers_in_suit, _gifts, _ruffs_of

    @cython.locals(
        group=int, suit=list, called=int, steady=bint, luck=list, at=int, best=int, wins=bint, most=double, score=double,
        card=int, takes=bint, lucky=double,
    )
    cpdef tuple _single(self, World world, Trick trick, int seat)

    cpdef list singles(self, World world, Trick trick, int seat)

    cdef list _choices_of(self, list suit, list cards, int beaten)

    @cython.locals(key=tuple)
    cdef list _given(self, list suit)

    @cython.locals(key=tuple)
    cdef list _in_suit_choices(self, list suit, int beaten)

    @cython.locals(key=tuple)
    cdef list _ruffs_above(self, list trumps, int over)

    @cython.locals(best=int, group=int, standing=int)
    cpdef bint _beats(self, Trick trick, int index)

    @cython.locals(
        lead=int, best=int, to_come=int, out=list, trumped=bint, whose=int, risk=int, helped=int, foes=int,
    )
    cdef tuple _scene_of(self, World world, Trick trick, int seat)

    @cython.locals(
        mine=bint, sides=list, voids=list, risk=int, helped=int, foes=int, follows=int, later=int, void=int, foe=bint,
    )
    cdef tuple _later_acts(self, World world, int seat, int lead, tuple after)

    @cython.locals(
        level=tuple, best=int, last=bint, place=int, phase=int, choices=list, row=list, weights=list, highest=int,
        number=int, beaten_at=int, breaks=int, options=list, card=int, points=int, wins=bint, doubled=bint, at=int,
        act=int, score=double,
    )
    cdef list _of_suit(self, list suit, list out, Trick trick, tuple scene)

    @cython.locals(
        whose=int, phase=int, risk=int, trumps=list, best=int, trumped=bint, row=list, discards=list, options=list,
        ruffs=list, act=int, out=list, weights=list, number=int, price=int, risked=int, card=int, points=int, wins=bint,
        doubled=bint, beaten=int, score=double, other=int,
    )
    cdef list _void(self, World world, list hand, Trick trick, tuple scene)

    @cython.locals(
        weights=list, ruffs=int, options=list, group=int, suit=list, out=list, length=int, number=int, price=int,
        card=int, points=int, doubled=bint, score=double,
    )
    cdef list _discards(self, list hand, list left, list row, int phase)

    @cython.locals(
        weights=list, trumps=int, whose=int, to_come=int, at_stake=int, phase=int, risk=int, helped=int, role=int,
        foes=int, place=int, row=list, act=int, points=int,
    )
    cdef list _suit_row(self, tuple scene)

    @cython.locals(
        weights=list, trumps=int, whose=int, to_come=int, at_stake=int, phase=int, risk=int, role=int, foes=int,
        place=int, row=list, act=int, points=int, risked=double,
    )
    cdef list _void_row(self, tuple scene)
