cimport cython

cdef int TRUMPS
cdef double _LENGTH, _POINT

@cython.locals(number=int, suit=list)
cpdef int size_of(list hand)

@cython.locals(index=int, after=int, at=int, pairs=list)
cpdef list pairs_in(list suit)

cpdef list distinct(list cards)

@cython.locals(card=int, best=int)
cpdef int cheapest(list cards, points_of)

@cython.locals(before=int, last=int, at=int, card=int)
cpdef int lone(list cards, points_of)

@cython.locals(card=int)
cpdef int lowest_with_points(list cards, points_of)

@cython.locals(best=int, most=int, card=int)
cpdef int most_points(list cards, points_of)

cpdef list cheap(list cards, points_of)

@cython.locals(best=int, value=double, group=int, suit=list, card=int, points=int, score=double, trumps=list)
cpdef int discard(list hand, points_of, level, bint feed)

@cython.locals(rest=list, group=int, suit=list, card=int)
cpdef list several(list hand, list cards, int number, points_of, level, bint feed)
