"""Events of equal deals: everybody plays the same cards once, and the results are compared."""
