cimport cython
from workers.ai.simulation.pairs cimport Pairs
from workers.ai.simulation.selection cimport pairs_in, several, size_of
from workers.ai.simulation.trick cimport Trick
from workers.ai.simulation.world cimport World

cdef int RAINBOW, TRUMPS

cdef class Playout(Pairs):
    cdef public object rules
    cdef public tuple kind
    cdef public bint plain
    cdef public long work
    cdef list _theirs, _ours, _dear
    cdef bint _safe_throws
    cdef dict _beaten, _cheapest, _forms, _highest, _matching_ruffs, _read, _values

    @cython.locals(hands=list)
    cpdef double run(self, World world, int leader, Trick trick=*)

    @cython.locals(key=tuple)
    cdef double _value(self, World world, lead, int winner, list winning)

    @cython.locals(key=tuple, size=int, seat=int)
    cpdef Trick led(self, World world, int leader, list cards, bint safe=*)

    @cython.locals(points=int, index=int)
    cdef int _points_of(self, list cards)

    @cython.locals(plays=int)
    cpdef finish(self, World world, Trick trick)

    @cython.locals(hand=list, left=list, group_of=tuple, index=int, group=int)
    cpdef remove(self, World world, int seat, cards)

    @cython.locals(
        points_of=tuple, group_of=tuple, hands=list, left=list, calls=list, seat=int, players=int, to_come=int, card=int,
        wins=bint, group=int, choice=tuple,
    )
    cdef _singles(self, World world, Trick trick)

    @cython.locals(seat=int, players=int, to_come=int, cards=list, wins=bint)
    cdef _pairs(self, World world, Trick trick)

    @cython.locals(seat=int, to_come=int, cards=list, first=int, alike=bint, suited=bint, index=int)
    cdef _others(self, World world, Trick trick)

    @cython.locals(key=tuple, wins=object)
    cpdef bint wins(self, Trick trick, list cards)

    cpdef list follow(self, World world, Trick trick)

    @cython.locals(hand=list, size=int, group=int, mate=bint, cards=list, suit=list)
    cdef list _answer(self, World world, Trick trick, int seat)

    cdef tuple _form(self, lead)

    @cython.locals(group=int, shapes=tuple, suit=tuple, unit=tuple, higher=list, key=tuple, cards=list)
    cdef list _in_suit(self, list hand, Trick trick, bint mate)

    @cython.locals(trumps=list, key=tuple, plays=list, cards=list)
    cdef list _ruff(self, list hand, Trick trick)
