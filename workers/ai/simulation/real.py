"""The exponential function; compiled modules call that of C. See `real.pxd`."""

from math import exp

__all__ = ["exp"]
