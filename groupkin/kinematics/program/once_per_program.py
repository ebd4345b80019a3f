"""A ready program: a program with what was made of it once so that it can run, such as tables, calls and layouts.

These are kept with the program itself, so that its memory is free when nothing refers to the program any more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from groupkin.kinematics.program.program import Program

P = ParamSpec("P")
R = TypeVar("R")

MOST = 256
"""Largest number of results of one function that a program keeps; with one more, the others are dropped."""

_MISSING: Any = object()


def once_per_program(make: Callable[Concatenate[Program, P], R]) -> Callable[Concatenate[Program, P], R]:
    """Let a function run once for each program and choice of its other arguments, which are hashable.

    The result is kept in ``program.ready``; a changed program, a copy and an unpickled one begin without it.
    """

    @wraps(make)
    def ready(program: Program, /, *arguments: P.args, **named: P.kwargs) -> R:
        results = program.ready.get(make)
        if results is None:
            results = program.ready.setdefault(make, {})
        key = (arguments, tuple(named.items())) if named else arguments
        found: R = results.get(key, _MISSING)
        if found is not _MISSING:
            return found
        made = make(program, *arguments, **named)
        if len(results) >= MOST:
            results.clear()
        return results.setdefault(key, made)

    return ready
