cimport cython

cdef _move(list own, list away, int give_group, int get_group)

cdef class Beliefs:
    cdef public object indices
    cdef public list weights
    cdef public int burier, me, phase
    cdef public bint joins
    cdef public list card_rows, cards, counts, held, joint, out, roles, sides, top

    @cython.locals(
        group_of=tuple, cards_of=list, firsts=list, pairs=list, numbers=list, free=list, number=int, draw=double,
        one=int, other=int, mine=list, theirs=list, at=int, there=int, give=int, get=int, give_group=int,
        get_group=int, held=list, others=list, gain=double, own=list, away=list,
    )
    cpdef settle(self, list places, list fixed, list voids, most, random)

    @cython.locals(group_of=tuple, groups=int, number=list, index=int, cards=list, numbers=list)
    cpdef list numbers(self, places)

    @cython.locals(
        own=list, away=list, a=int, b=int, c=int, d=int, losing=list, winning=list, gain=double, burier=int, joint=list,
        held=list, moved=int, hidden=list, step=int, less=list, more=list,
    )
    cpdef double gain(self, list numbers, int one, int other, int give_group, int get_group)
