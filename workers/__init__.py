"""What moves without a person: AI seats, timeouts and the clock that wakes them."""
