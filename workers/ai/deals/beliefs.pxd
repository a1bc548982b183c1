cimport cython

cdef class Beliefs:
    cdef public object indices
    cdef public list weights
    cdef public int burier, me, phase
    cdef public bint joins
    cdef public list card_rows, cards, counts, held, joint, out, roles, sides, top

    @cython.locals(group_of=tuple, groups=int, number=list, index=int, cards=list, numbers=list)
    cpdef list numbers(self, places)
