cimport cython
from workers.ai.simulation.playout cimport Playout
from workers.ai.simulation.trick cimport Trick
from workers.ai.simulation.world cimport World

cdef class Likelihood:
    cdef public int telling
    cdef public Playout playout
    cdef list _moments
    cdef dict _known

    @cython.locals(total=double, seat=int, moments=list)
    cpdef double of(self, hands)

    @cython.locals(
        group_of=tuple, held=list, total=double, cards=list, world=World, trick=Trick, telling=bint, index=int,
    )
    cdef double _of_seat(self, int seat, list hand)

    @cython.locals(
        playout=Playout, called=int, options=list, is_single=bint, most=double, weights=list, of_play=list,
        weight=double, is_play=bint,
    )
    cdef double _chance(self, int seat, list cards, World world, Trick trick)
