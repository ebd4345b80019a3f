"""The ways to solve the groups of a mechanism: which side by side, in which order, on how many workers.

A route is a sequence of stages; a stage is a set of groups whose predecessors are solved, spread over lanes. This
package enumerates routes, times them, searches for the best, and executes one serially or with threads. All names are
imported when first used.
"""

from typing import Any

import lazy_loader

_attribute, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        from groupkin.messages import no_attribute

        raise no_attribute(__name__, name, __all__)
    return _attribute(name)
