"""Kinematics of mechanisms by structural groups.

Describe a mechanism (`Mechanism`, or a file read by `load`), decompose it (`analyze`), solve its motion (`solve`) and
read the result from a `Motion`. All names below are imported when first used, so that ``import groupkin`` is quick.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

__version__ = "0.1.0"
