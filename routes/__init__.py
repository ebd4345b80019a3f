"""The ways to solve the groups of a mechanism: which side by side, in which order, on how many workers.

A route is a sequence of stages; a stage is a set of groups whose predecessors are solved, spread over lanes. This
package enumerates routes, times them, searches for the best, and executes one serially or with threads. All names are
imported when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
