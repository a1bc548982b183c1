cimport cython
from workers.ai.simulation cimport bits
from workers.ai.simulation.bits cimport Cards
from workers.ai.simulation.hands cimport middle_of, size_of
from workers.ai.simulation.leading cimport Leading
from workers.ai.simulation.tables cimport Row
from workers.ai.simulation.trick cimport Trick
from workers.ai.simulation.world cimport World

cdef int TRUMPS
cdef int[::1] BEATEN, LENGTH, PHASE, STAKE, TRUMP_LENGTH
cdef int _SUIT_BEATEN, _SUIT_BREAKS, _SUIT_FOES, _SUIT_MATES, _SUIT_PHASE, _SUIT_POINTS, _SUIT_RISK, _SUIT_ROLE
cdef int _SUIT_STAKE, _VOID_BREAKS, _VOID_FOES, _VOID_GIVEN, _VOID_PHASE, _VOID_POINTS, _VOID_RISK, _VOID_ROLE
cdef int _VOID_STAKE, _VOID_TRUMP
cdef int LOSE, LOSE_POINTS, WIN_HIGHEST, WIN_SO_FAR, WIN_LAST, GIVE, RUFF, OVERRUFF
cdef int OURS, OURS_HIGHEST, OURS_SURE, THEIRS

cdef class Singles(Leading):
    cdef int[::1] to_come
    cdef int _foes, _helped, _phase, _risk, _role, _stake, _to_come, _trumps, _whose

    @cython.locals(group=int, planes=Cards[::1], suit=Cards, called=int)
    cdef int single(self, World world, Trick trick, int seat) except -1

    cpdef list singles(self, World world, Trick trick, int seat)

    @cython.locals(best=int, group=int, standing=int)
    cpdef bint beats(self, Trick trick, int card)

    @cython.locals(planes=Cards[::1], at=int, suit=Cards)
    cdef void _weigh_singles(self, World world, Trick trick, int seat) except *

    @cython.locals(lead=int, best=int, to_come=int, planes=Cards[::1], trumped=bint, mine=int)
    cdef void _look_at(self, World world, Trick trick, int seat) noexcept

    @cython.locals(planes=Cards[::1], players=int, later=int, mates=int, foes=int, void=int, ruff=int)
    cdef void _look_at_later(self, World world, int seat, int lead, int number) noexcept

    @cython.locals(
        depth=int, best=int, lead=int, trumps=int, whose=int, to_come=int, stake=int, phase=int, twice=Cards,
        picked=cython.int[::1], number=int, winners=Cards, scene=int, row=Row, beaten_at=int, breaks=int,
        weights=cython.double[::1], last=bint, out=Cards, seen=Cards, each=int, card=int, points=int, beaten=int, act=int,
        score=double,
    )
    cdef void _of_suit(self, Cards[::1] planes, int at, int left, Cards suit, Trick trick) except *

    @cython.locals(number=int)
    cdef void _add_card(self, double score, int card) noexcept

    @cython.locals(hand=Cards, trumps=Cards, trumped=bint, whose=int, scene=int, row=Row)
    cdef void _void(self, Cards[::1] planes, int at, int left, Trick trick) except *

    @cython.locals(
        depth=int, best=int, phase=int, trumps=Cards, trumped=bint, higher=Cards, twice=Cards, act=int, price=int,
        risked=int, weights=cython.double[::1], picked=cython.int[::1], seen=Cards, number=int, each=int, card=int,
        beaten=int, score=double,
    )
    cdef void _ruffs(self, Cards[::1] planes, int at, int left, Trick trick, Row row, int whose) except *

    @cython.locals(
        depth=int, phase=int, trumps=Cards, card=int, number=int, weights=cython.double[::1], beaten=int, price=int,
        score=double,
    )
    cdef void _give_trump(self, Cards[::1] planes, int at, int left, Row row) except *

    @cython.locals(
        depth=int, phase=int, picked=cython.int[::1], weights=cython.double[::1], hand=Cards, ruffs=int, group=int, suit=Cards,
        length=int, twice=Cards, price=int, each=int, card=int, points=int, score=double,
    )
    cdef void _discards(self, Cards[::1] planes, int at, int left, Row row) except *

    @cython.locals(
        weights=cython.double[::1], trumps=int, whose=int, to_come=int, at_stake=int, phase=int, risk=int, helped=int, role=int, foes=int, place=int, act=int, points=int,
    )
    cdef Row _suit_row(self, int scene)

    @cython.locals(
        weights=cython.double[::1], trumps=int, whose=int, to_come=int, at_stake=int, phase=int, risk=int, role=int, foes=int, place=int, act=int, points=int,
    )
    cdef Row _void_row(self, int scene)
