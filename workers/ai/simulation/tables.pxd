cdef class Row:
    cdef public double[::1] values

cdef class Weights:
    cdef public object pack
    cdef public double[::1] each
    cdef public list pair, side, suit, trumps, void

    cpdef Row keep(self, list rows, int scene, values)
