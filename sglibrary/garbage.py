"""Python's search for garbage while functions are compiled."""

import gc

from numba.core import event


class _Rarely(event.Listener):
    """Compiling makes millions of objects that stay: to search them as often as usual takes an eighth of the time."""

    _depth, _thresholds = 0, gc.get_threshold()

    def on_start(self, event: event.Event) -> None:
        if self._depth == 0:
            self._thresholds = gc.get_threshold()
            first, *others = self._thresholds
            gc.set_threshold(first and max(100_000, first), *others)
        self._depth += 1

    def on_end(self, event: event.Event) -> None:
        self._depth -= 1
        if self._depth == 0:
            gc.set_threshold(*self._thresholds)


def search_rarely() -> None:
    """Let Python search for garbage less often while a function is compiled, and as before when it is."""
    event.register("numba:compile", _Rarely())
