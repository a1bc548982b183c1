cdef class Trick:
    cdef public object lead
    cdef public list best
    cdef public int best_seat, group, number, points, seat, size, to_come

    cpdef Trick copy(self)
