"""Events of equal deals: everybody plays the same cards once, and is compared with the others."""
