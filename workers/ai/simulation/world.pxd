cimport cython

@cython.locals(copies=list, group=int, suit=list)
cpdef list copied(list suits)

cdef class World:
    cdef public list calls, declarers, hands, left, open_declarers, penalties, taken, voids
    cdef public dict called_counts
    cdef public object kitty
    cdef public int luck

    @cython.locals(shared=bint, other=World)
    cpdef World copy(self)

    cpdef int role(self, int seat)

    @cython.locals(group=int, index=int, declarer=int, seat=int, hand=list)
    cpdef find_friends(self, game)

    cpdef called_played(self, game, int seat, int index, int copies)
