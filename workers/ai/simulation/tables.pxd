cdef class Weights:
    cdef public list each
    cdef public dict pair, side, suit, trumps, void
