cimport cython
from workers.ai.simulation cimport bits
from workers.ai.simulation.bits cimport Cards
from workers.ai.simulation.hands cimport cards_of, drop, size_of
from workers.ai.simulation.pairs cimport Pairs
from workers.ai.simulation.trick cimport Trick
from workers.ai.simulation.world cimport World

cdef int RAINBOW, TRUMPS, _CALLED, _OTHER, _PAIR

cdef class Playout(Pairs):
    cdef public object rules
    cdef public tuple kind
    cdef public bint plain
    cdef public long work
    cdef list _cards_read, _theirs, _ours, _dear, _price_ours, _price_theirs
    cdef bint _quads, _safe_throws
    cdef dict _beaten, _cheapest, _factors, _forms, _highest, _matching_ruffs, _read, _values

    @cython.locals(planes=Cards[::1], depth=int)
    cpdef double run(self, World world, int leader, Trick trick=*)

    @cython.locals(card=int, number=int, cards=Cards)
    cdef Trick _leads(self, World world, int seat)

    @cython.locals(is_open=int, points=int, seat=int, key=tuple)
    cdef double _value(self, World world, Trick trick) except? -99

    @cython.locals(best=list, key=tuple)
    cdef int _factor(self, Trick trick) except -1

    @cython.locals(key=tuple)
    cpdef Trick led(self, World world, int leader, list cards, bint safe=*)

    @cython.locals(planes=Cards[::1], at=int, size=int, seat=int)
    cdef Trick _led_by(self, World world, int leader, lead, list cards)

    @cython.locals(points=int, index=int)
    cdef int _points_of(self, list cards)

    @cython.locals(plays=int)
    cpdef finish(self, World world, Trick trick)

    @cython.locals(planes=Cards[::1], depth=int, left=int, index=int)
    cpdef remove(self, World world, int seat, list cards)

    @cython.locals(planes=Cards[::1], depth=int, left=int, seat=int, players=int, to_come=int, card=int)
    cdef _singles(self, World world, Trick trick)

    @cython.locals(seat=int, players=int, to_come=int, first=int, second=int)
    cdef _pairs(self, World world, Trick trick)

    @cython.locals(seat=int, group=int, to_come=int, cards=list, first=int, alike=bint, suited=bint, index=int)
    cdef _others(self, World world, Trick trick)

    @cython.locals(key=tuple, wins=object)
    cpdef bint wins(self, Trick trick, list cards)

    @cython.locals(group=int, standing=int, highest=int, least=int, index=int)
    cdef bint _cannot_win(self, Trick trick, list cards) except -1

    cpdef list follow(self, World world, Trick trick)

    @cython.locals(planes=Cards[::1], at=int, depth=int, size=int, group=int, mate=bint, cards=list, suit=list)
    cdef list _answer(self, World world, Trick trick, int seat)

    cdef tuple _form(self, lead)

    @cython.locals(
        group=int, shapes=tuple, doublings=int, suit=tuple, unit=tuple, higher=list, key=tuple, cards=list, prices=list,
    )
    cdef list _in_suit(self, list held, Trick trick, bint mate)

    @cython.locals(trumps=list, shapes=tuple, doublings=int, key=tuple, plays=list, cards=list)
    cdef list _ruff(self, Cards[::1] planes, int at, Trick trick)
