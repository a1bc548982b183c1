cimport cython
from workers.ai.simulation cimport real
from workers.ai.deals.beliefs cimport Beliefs

cdef int _BITS, _ONE

cdef class Exchanges:
    cdef public Beliefs beliefs
    cdef public int[::1] numbers
    cdef int _burier, _groups, _kitty, _kinds, _longest, _row, _tries
    cdef bint _joins, _limited
    cdef int[::1] _cards, _fixed, _free, _group_of, _most, _ones, _others, _voids
    cdef double[::1] _counts, _joint, _worth

    @cython.locals(numbers=int[::1], group_of=int[::1], groups=int, at=int, place=int, held=list, index=int)
    cpdef count(self, places)

    cpdef settle(self, list places, random)

    @cython.locals(cards=int[::1], fixed=int[::1], free=int[::1], place=int, held=list, at=int, index=int)
    cdef _take(self, list places)

    @cython.locals(cards=int[::1], place=int, held=list, at=int, number=int)
    cdef _put(self, list places)

    @cython.locals(
        cards=int[::1], fixed=int[::1], free=int[::1], row=int, group_of=int[::1], ones=int[::1], others=int[::1],
        voids=int[::1], worth=cython.double[::1], kinds=int, number=int, last=int, word=cython.ulonglong, pair=int, one=int,
        other=int, at=int, there=int, give=int, get=int, give_group=int, get_group=int, mine=int, theirs=int, gain=double,
        tried=int,
    )
    cdef _exchange(self, unsigned long long[::1] words)

    @cython.locals(groups=int, own_give=int, own_get=int, give=int, get=int, gain=double, buried=int, held=int)
    cpdef double gain(self, int one, int other, int give_group, int get_group) noexcept

    @cython.locals(at=int)
    cdef double _changes(self, int number, int by) noexcept

    @cython.locals(longest=int, groups=int, hidden=int, at=int)
    cdef double _joined(self, int group, int buried, int held) noexcept

    @cython.locals(groups=int)
    cdef void _move(self, int one, int other, int give_group, int get_group) noexcept

    @cython.locals(cards=int[::1], first=int, held=int, at=int)
    cdef bint _fits(self, int place, int index) noexcept
