cdef class Trick:
    cdef public object lead
    cdef list varied
    cdef public int best_seat, group, number, points, seat, size, to_come, top

    cpdef win(self, list cards, int seat)

    cdef void win_alike(self, int card, int seat) noexcept

    cpdef Trick copy(self)
