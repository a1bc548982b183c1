cimport cython
from workers.ai.simulation cimport bits
from workers.ai.simulation.bits cimport Cards
from workers.ai.simulation.hands cimport cards_of, planes_of

cdef class World:
    cdef public list calls, penalties, taken
    cdef public dict called_counts
    cdef public object kitty, store
    cdef Cards[::1] planes
    cdef public Cards called
    cdef public int declarers, depth, kitty_points, left, luck, open_declarers, players, voids

    cpdef call(self, list calls)

    @cython.locals(other=World)
    cpdef World copy(self)

    cpdef deal(self, hands)

    cpdef list remaining(self)

    cpdef list hand(self, int seat)

    cpdef bint is_open(self, int seat)

    @cython.locals(is_declarer=bint)
    cpdef int role(self, int seat)

    @cython.locals(seat=int, declarer=int)
    cpdef find_friends(self, game)

    cpdef called_played(self, game, int seat, int index, int copies)
