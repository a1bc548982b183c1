cimport cython
from workers.ai.simulation cimport bits
from workers.ai.simulation.bits cimport Cards
from workers.ai.simulation.hands cimport Picking, size_of
from workers.ai.simulation.singles cimport Singles
from workers.ai.simulation.tables cimport Row
from workers.ai.simulation.trick cimport Trick
from workers.ai.simulation.world cimport World

cdef int TRUMPS, _MANY, _SECOND
cdef int[::1] BEATEN, LENGTH, PHASE, STAKE
cdef int _BEATEN, _GIVEN, _PHASE, _POINTS, _ROLE, _STAKE
cdef int LOSE, LOSE_POINTS, WIN, RUFF, OURS, OURS_SURE, THEIRS

cdef class Pairs(Singles):
    cdef public int first, second

    @cython.locals(group=int, planes=Cards[::1], at=int, depth=int, suit=Cards, size=int, best=int)
    cdef void pair(self, World world, Trick trick, int seat) except *

    cpdef list pairs(self, World world, Trick trick, int seat)

    @cython.locals(planes=Cards[::1], at=int, lead=int, suit=Cards, called=int)
    cdef void _weigh_pairs(self, World world, Trick trick, int seat) except *

    @cython.locals(number=int, cards=cython.int[::1], seconds=cython.int[::1], known=int)
    cdef void _add_pair(self, int one, int other) noexcept

    @cython.locals(picking=Picking, twice=Cards, card=int, rest=Cards)
    cdef void _of_pairs(self, Cards[::1] planes, int at, Cards suit) except *

    @cython.locals(picking=Picking, twice=Cards, rest=Cards, feed=bint, other=int)
    cdef void _join(self, Cards[::1] planes, int at, Cards suit, int called) except *

    @cython.locals(
        picking=Picking, top=int, hand=Cards, twice=Cards, higher=Cards, card=int, feed=bint, number=int, cards=list,
        group=int, other=Cards, rest=Cards,
    )
    cdef void _short(self, Cards[::1] planes, int at, Cards suit, Trick trick) except *

    @cython.locals(
        planes=Cards[::1], depth=int, at=int, left=int, lead=int, hand=Cards, row=Row, weights=cython.double[::1],
        ruffs=int, in_suit=bint, number=int, one=int, other=int, worth=int, act=int, score=double, card=int, group=int,
        length=int, beaten=int, place=int,
    )
    cdef void _score_pairs(self, World world, Trick trick, int seat) except *

    @cython.locals(lead=int, whose=int, scene=int)
    cdef Row _row_of(self, World world, Trick trick, int seat)

    @cython.locals(
        weights=cython.double[::1], trumps=int, whose=int, to_come=int, at_stake=int, phase=int, role=int, place=int, act=int, points=int,
    )
    cdef Row _pair_row(self, int scene)
