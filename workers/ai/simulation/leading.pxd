cimport cython
from workers.ai.simulation cimport bits
from workers.ai.simulation.bits cimport Cards
from workers.ai.simulation.hands cimport cards_of, copies_of, size_of
from workers.ai.simulation.suits cimport Suits
from workers.ai.simulation.tables cimport Row
from workers.ai.simulation.world cimport World

cdef int FOUND, TRUMPS, _KINDS, _OF_TRUMPS
cdef int _CALLED, _LENGTH, _OUT, _OWN, _PHASE, _ROLE, _RUFFS, _RUFFS_ROLE, _SIZE, _TRUMPS
cdef int[::1] LENGTH, PHASE, TRUMP_LENGTH, _WON
cdef double[::1] _BALANCE

cdef class Leading(Suits):
    cdef public int everybody

    @cython.locals(called=int)
    cpdef list lead(self, World world, int seat)

    @cython.locals(at=int)
    cdef int chosen_lead(self, World world, int seat) except -1

    cdef list lead_of(self, World world, int seat, int number)

    cpdef list leads(self, World world, int seat)

    @cython.locals(at=int, depth=int, hand=Cards, index=int, group=int, fills=bint)
    cpdef int called(self, World world, int seat, int led=*) except? -2

    @cython.locals(
        planes=Cards[::1], depth=int, at=int, left=int, hand=Cards, others=int, side=int, may_ruff=int, foes=int,
        mates=int, trumps=Cards, own=int, out=int, length=int, scene=int, winners=int, group=int, cards=Cards, void=int,
        held=int, hidden=int, ruffs=int, suited=int, number=int, row=Row, drawn=int,
    )
    cdef void weigh_leads(self, World world, int seat) except *

    @cython.locals(column=int)
    cdef int _balance(self, double more) noexcept

    cdef int _ruff_column(self, int foes, int others) noexcept

    @cython.locals(
        weights=cython.double[::1], found=int, row=list, kind=int, drawn=int,
    )
    cdef list _scene_row(self, int phase, int role, int own, int out)

    @cython.locals(
        weights=cython.double[::1], phase=int, role=int, own=int, out=int, ruffs=int, length=int, called=int, row=list, kind=int,
    )
    cdef Row _side_row(self, int scene)

    @cython.locals(
        weights=cython.double[::1], phase=int, role=int, own=int, out=int, drawn=int, balance=int, won=int, row=list, kind=int,
    )
    cdef Row _trump_row(self, int scene)
