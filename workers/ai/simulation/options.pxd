cimport cython
from workers.ai.simulation.bits cimport Cards
from workers.ai.simulation.hands cimport Picking
from workers.ai.simulation.tables cimport Weights
from workers.ai.simulation.world cimport World

cdef int LASTS, LUCK, _APART

cdef class Options:
    cdef public object game
    cdef public int depth, number, players
    cdef public Weights weights
    cdef public Picking picking
    cdef public bint steady
    cdef public int[::1] cards, column, copies, group, level, marks, picked, points, seconds
    cdef public Cards[::1] above, equals, higher, sets, suits
    cdef public Cards rich, richest
    cdef public double[::1] luck, scores

    @cython.locals(best=int, most=double, number=int, at=int, lucky=double)
    cdef int best(self, World world, int size, int seat) noexcept
