"""Functions by the names of their modules, which are imported when a function is first called.

So a method can call what is built on top of its class, and `import groupkin` stays quick.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


@cache
def function(name: str) -> Callable[..., Any]:
    """Return a function by its name, such as ``"groupkin.look.notebook:draw"``.

    >>> function("math:gcd")(12, 18)
    6
    """
    module, _, attribute = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), attribute)
    return found
