cimport cython
from workers.ai.simulation.selection cimport size_of
from workers.ai.simulation.suits cimport Suits, SuitLeads
from workers.ai.simulation.tables cimport Weights
from workers.ai.simulation.world cimport World

cdef int FOUND, LASTS, LUCK, TRUMPS, TRUMP_BOSS, _APART, _KINDS, _LONGER
cdef int _CALLED, _LENGTH, _OUT, _OWN, _PHASE, _ROLE, _RUFFS, _RUFFS_ROLE, _SIZE, _TRUMPS
cdef tuple LENGTH, PHASE, TRUMP_LENGTH, _WON

cdef class Leading:
    cdef public object game
    cdef public int players
    cdef public Weights weights
    cdef public tuple column, group, level, points
    cdef public Suits suits
    cdef public list luck
    cdef public bint steady

    @cython.locals(
        called=int, best=list, most=double, steady=bint, luck=list, at=int, row=list, leads=list, kind=int, cards=list,
        own=double, score=double,
    )
    cpdef list lead(self, World world, int seat)

    cpdef int _lucky(self, World world, int size, int seat)

    @cython.locals(hand=list, index=int, group=int, fills=bint)
    cpdef int called(self, World world, int seat, int led=*)

    cpdef list leads(self, World world, int seat)

    @cython.locals(
        hand=list, left=list, mine=bint, sides=list, foes=int, mates=int, out=int, nobody=int, foes_have_trumps=bint,
        other=int, voids=int, own=list, suits=Suits, phase=int, role=int, length=int, called=int, rows=dict,
        winners=int, choices=list, group=int, suit=list, leads=SuitLeads, ruffs=int, suited=int, scene=tuple,
        more=double, drawn=int,
    )
    cdef list _choices(self, World world, int seat)

    cdef int _ruff_column(self, int foes, int others)

    @cython.locals(weights=list, found=int, row=list, kind=int, drawn=int)
    cdef list _scene_row(self, int phase, int role, int own, int out)

    @cython.locals(
        weights=list, phase=int, role=int, own=int, out=int, ruffs=int, length=int, called=int, row=list, kind=int,
        score=double,
    )
    cdef list _side_row(self, tuple scene)

    @cython.locals(
        weights=list, phase=int, role=int, own=int, out=int, drawn=int, balance=int, won=int, row=list, kind=int,
        score=double,
    )
    cdef list _trump_row(self, tuple scene)
