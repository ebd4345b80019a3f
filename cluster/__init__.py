"""The same under mpiexec: routes spread over MPI ranks, and sweeps over many variants of one mechanism.

The only package that imports mpi4py. Variants are dealt to the ranks and their results are kept in one store that
survives a crash. All names below are imported when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
