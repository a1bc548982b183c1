ctypedef unsigned long long Cards

cdef extern from *:
    """
    #define bits_one(card) (1ULL << (card))
    #define bits_low(cards) __builtin_ctzll(cards)
    #define bits_high(cards) (63 - __builtin_clzll(cards))
    #define bits_count(cards) __builtin_popcountll(cards)
    """
    Cards one "bits_one" (int card) noexcept nogil
    int low "bits_low" (Cards cards) noexcept nogil
    int high "bits_high" (Cards cards) noexcept nogil
    int count "bits_count" (Cards cards) noexcept nogil
