cdef extern from "<math.h>":
    double exp(double) noexcept nogil
