"""Settings of the process that hold while a kernel is compiled, and for nothing else that is compiled in it.

The compiler tells when it begins and ends to compile a function, of which it compiles one at a time, under a lock, or
one within another. While the innermost of them is a kernel

- LLVM may check at run time that dozens of rows do not overlap (`sglibrary.convention`);
- two functions of the compiler, which it calls again and again with the same result, give it faster;
- Python searches for garbage less often.

All is as before when the kernel is compiled, and while another library's function is compiled within it.
"""

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any

import llvmlite.binding
from numba.core import event
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.types.functions import BaseFunction

USUAL_CHECKS = 128
"""Run-time checks for overlapping rows that LLVM allows a loop by itself, where a dozen rows stay scalar."""

MOST_CHECKS = 8192
"""Run-time checks for overlapping rows that a loop of a kernel may have."""

FEWEST_OBJECTS = 100_000
"""New objects after which garbage is searched: compiling makes millions that stay, and the search takes an eighth."""


def mark(compiled: Any) -> None:
    """Let these settings hold while a function is compiled."""
    compiled.is_kernel = True


class _Thread(threading.local):
    """Functions that a thread is compiling, each True if it is a kernel, and what ends the settings, if they hold."""

    def __init__(self) -> None:
        self.kernels: list[bool] = []
        self.settings: ExitStack | None = None


_thread = _Thread()


class _Settings(event.Listener):
    """Begins and ends the settings with the functions that are compiled."""

    def on_start(self, event: event.Event) -> None:
        _thread.kernels.append(getattr(event.data["dispatcher"], "is_kernel", False))
        _apply()

    def on_end(self, event: event.Event) -> None:
        if _thread.kernels:  # empty if the compiler began before this was registered, in another thread
            _thread.kernels.pop()
        _apply()


def _apply() -> None:
    wanted = bool(_thread.kernels) and _thread.kernels[-1]
    if wanted and _thread.settings is None:
        with ExitStack() as settings:
            for setting in (_more_checks, _rare_search, _known_flags, _known_call_types):
                settings.enter_context(setting())
            _thread.settings = settings.pop_all()
    elif not wanted and _thread.settings is not None:
        settings, _thread.settings = _thread.settings, None
        settings.close()


event.register("numba:compile", _Settings())


@contextmanager
def _more_checks() -> Iterator[None]:
    _allow_checks(MOST_CHECKS)
    try:
        yield
    finally:
        _allow_checks(USUAL_CHECKS)


def _allow_checks(count: int) -> None:
    # there is no such option of a module or loop: that of loops with a hint in their metadata is another one, also 128
    llvmlite.binding.set_option("groupkin", f"--vectorize-memory-check-threshold={count}")


@contextmanager
def _rare_search() -> Iterator[None]:
    usual = gc.get_threshold()
    gc.set_threshold(usual[0] and max(FEWEST_OBJECTS, usual[0]), *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


@contextmanager
def _replaced(owner: Any, name: str, function: Callable[..., Any]) -> Iterator[None]:
    usual = getattr(owner, name)
    setattr(owner, name, function)
    try:
        yield
    finally:
        setattr(owner, name, usual)


@cache
def _defaults(kind: type[TargetConfig]) -> dict[str, Any]:
    return {name: option.default for name, option in kind.options.items()}


def _values(flags: TargetConfig) -> dict[str, Any]:
    """All flags of a function: what the compiler returns itself, but it compares them a hundred thousand times."""
    return _defaults(type(flags)) | flags._values


def _known_flags() -> Any:
    return _replaced(TargetConfig, "values", _values)


_call_types: dict[tuple[Any, ...], Any] = {}


def _known_call_types() -> Any:
    find = BaseFunction.get_call_type

    def call_type(function: Any, context: Any, arguments: Any, named: Any) -> Any:
        """Types of a call: what the compiler finds itself, but it asks for those of x + y in every function anew."""
        flags = ConfigStack.top_or_none()
        if named or flags is None or flags.fastmath:
            return find(function, context, arguments, named)
        # what is compiled for a call takes these flags over
        key = function, context, arguments, flags.nrt, flags.forceinline, flags.error_model
        if key not in _call_types:
            _call_types[key] = find(function, context, arguments, named)
        return _call_types[key]

    return _replaced(BaseFunction, "get_call_type", call_type)
