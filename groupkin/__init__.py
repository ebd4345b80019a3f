"""Kinematics of mechanisms by structural groups.

Describe a mechanism (`Mechanism`, or a file read by `load`), decompose it (`analyze`), solve its motion (`solve`) and
read the result from a `Motion`. All names below are imported when first used, so that ``import groupkin`` is quick.
"""

from typing import Any

import lazy_loader

_attribute, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        from groupkin.messages import no_attribute

        raise no_attribute(__name__, name, __all__)
    return _attribute(name)


__version__ = "0.1.0"
