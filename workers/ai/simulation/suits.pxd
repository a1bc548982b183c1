cimport cython
from workers.ai.simulation cimport bits
from workers.ai.simulation.bits cimport Cards
from workers.ai.simulation.hands cimport size_of
from workers.ai.simulation.options cimport Options
from workers.ai.simulation.tables cimport Row

cdef int TRUMPS
cdef int[::1] BEATEN, POINTS_OUT, STAKE
cdef int _BEATEN, _ELSEWHERE, _LARGEST, _LONGER, _POINTS, _REST, _SIZE
cdef int BOSS, BOSS_POINTS, LOW, LOW_POINTS, THROW, TOP, TRACTOR, TRACTOR_BOSS, TUPLE, TUPLE_BOSS
cdef int TRUMP_BOSS, TRUMP_LOW, TRUMP_LOW_POINTS, TRUMP_THROW, TRUMP_TOP, TRUMP_TRACTOR, TRUMP_TUPLE, TRUMP_TUPLE_BOSS

cdef class Suits(Options):
    cdef public int other_seats
    cdef bint _throws_sides, _throws_trumps
    cdef dict _tractors
    cdef int _at, _far, _left, _length, _away, _worth
    cdef Cards _pair, _single, _suit, _twice

    cdef int share(self, int cards) noexcept

    @cython.locals(depth=int, single=Cards, pair=Cards, points=int, plane=int, every=Cards, hidden=Cards)
    cdef void _look(self, Cards[::1] planes, int at, int left, Cards cards, int length, int others) noexcept

    @cython.locals(rich=Cards)
    cdef int _points_in(self, Cards cards) noexcept

    @cython.locals(safe=Cards, twice=Cards)
    cdef Cards _safe(self) noexcept

    @cython.locals(
        suit=Cards, twice=Cards, safe=Cards, number=int, top=int, boss=bint, kind=int, beaten=int, low=int,
    )
    cdef int _side_leads(self, Cards[::1] planes, Row row) except -1

    @cython.locals(suit=Cards, rich=Cards)
    cdef void _low_sides(self, Cards[::1] planes, Row row, int low, int size) noexcept

    @cython.locals(depth=int, left=int, cards=Cards, upper=int, every=int)
    cdef int _height(self, Cards[::1] planes, int low) noexcept

    @cython.locals(trumps=Cards, others=int, top=int, low=int, several=Cards, safe=Cards, boss=bint)
    cdef void _trump_leads(self, Cards[::1] planes, Row row) except *

    @cython.locals(trumps=Cards, rich=Cards, alone=Cards, rich_one=int, lone=int, below=Cards, highest=int)
    cdef void _low_trumps(self, Cards[::1] planes, Row row, int top, int low) noexcept

    @cython.locals(
        twice=Cards, pair=Cards, is_trumps=bint, run=Cards, best=Cards, boss=bint, kind=int, lowest=Cards,
    )
    cdef void _tuples(self, Cards[::1] planes, Row row) except *

    cdef Cards _tractor(self, Cards pairs) except? 0

    @cython.locals(
        at=int, depth=int, number=int, points=int, plane=int, held=Cards, top=int, rest=Cards, score=double, here=int,
    )
    cdef void _add(self, Cards[::1] planes, Row row, int kind, Cards cards, int copies, int size) noexcept

    @cython.locals(depth=int, beaten=int, above=Cards, left=int, kept=int, keeps=int, again=int, row=int)
    cdef double _of_cards(self, Cards[::1] planes, int kind, int top, int number, Cards rest) noexcept
