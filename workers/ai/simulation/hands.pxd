cimport cython
from workers.ai.simulation cimport bits
from workers.ai.simulation.bits cimport Cards

cdef int TRUMPS
cdef double _LENGTH, _POINT

@cython.locals(bit=Cards, plane=int)
cpdef add(Cards[::1] planes, int at, int depth, int card)

@cython.locals(bit=Cards, last=int)
cpdef void drop(Cards[::1] planes, int at, int depth, int card) noexcept

@cython.locals(total=int, plane=int, held=Cards)
cpdef int size_of(Cards[::1] planes, int at, int depth, Cards cards) noexcept

@cython.locals(bit=Cards, copies=int)
cpdef int copies_of(Cards[::1] planes, int at, int depth, int card) noexcept

@cython.locals(listed=list, card=int)
cpdef list cards_of(Cards[::1] planes, int at, int depth, Cards cards)

@cython.locals(before=int, card=int)
cpdef int middle_of(Cards[::1] planes, int at, int depth, Cards cards) noexcept

@cython.locals(view=Cards[::1], card=int, number=int)
cpdef planes_of(list hands, int depth)

cdef class Picking:
    cdef public int depth
    cdef public Cards rich, richest
    cdef Cards[::1] suits, _rest
    cdef int[::1] level, points, picked

    cpdef int cheapest(self, Cards cards)

    cpdef int most_points(self, Cards cards)

    @cython.locals(rich=Cards, poor=Cards, first=int, number=int, most=int, least=int)
    cpdef int cheap(self, Cards cards, Cards twice)

    @cython.locals(best=int, value=double, group=int, suit=Cards, card=int, points=int, score=double, trumps=Cards)
    cdef int discard(self, Cards[::1] planes, int at, bint feed)

    @cython.locals(plane=int, card=int)
    cdef list discards(self, Cards[::1] planes, int at, Cards kept, int number, bint feed)
