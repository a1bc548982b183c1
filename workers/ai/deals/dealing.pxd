cimport cython
from workers.ai.deals.exchanges cimport Exchanges

@cython.locals(bits=int, at=int, other=int)
cpdef shuffle(list cards, random)

cdef class Dealer:
    cdef public object known, random
    cdef public Exchanges exchanges
    cdef public list bound, fixed, free, groups, own, rooms, voids

    @cython.locals(
        voids=list, rooms=list, places=list, homeless=list, group=int, cards=list, tickets=list, place=int, room=int,
        drawn=list, rest=list, taken=int,
    )
    cpdef deal(self)

    cdef _finished(self, list places)
