"""The same under mpiexec: routes spread over MPI ranks, and sweeps over many variants of one mechanism.

The only package that imports mpi4py. Variants are dealt to the ranks and their results are kept in one store that
survives a crash. All names below are imported when first used.
"""

from typing import Any

import lazy_loader

_attribute, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        from groupkin.messages import no_attribute

        raise no_attribute(__name__, name, __all__)
    return _attribute(name)
