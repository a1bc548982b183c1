cimport cython
from workers.ai.simulation cimport real
from workers.ai.simulation.bits cimport Cards
from workers.ai.simulation.hands cimport add, drop
from workers.ai.simulation.playout cimport Playout
from workers.ai.simulation.trick cimport Trick
from workers.ai.simulation.world cimport World

cdef class Likelihood:
    cdef public int depth, telling
    cdef public Playout playout
    cdef list _moments
    cdef dict _known
    cdef Cards[::1] _hand

    @cython.locals(total=double, depth=int, seat=int, at=int, moments=list, key=tuple)
    cpdef double of(self, Cards[::1] planes)

    @cython.locals(
        depth=int, hand=Cards[::1], at=int, plane=int, total=double, cards=list, world=World, trick=Trick, telling=bint,
        index=int,
    )
    cdef double _of_seat(self, int seat, Cards[::1] planes)

    @cython.locals(
        playout=Playout, called=int, options=list, is_single=bint, most=double, weights=list, of_play=list,
        weight=double, is_play=bint,
    )
    cdef double _chance(self, int seat, list cards, World world, Trick trick)
