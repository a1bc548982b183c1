"""Events of equal deals: everybody plays the same cards once, and results are compared."""
