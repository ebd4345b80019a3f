"""Threads that stay alive between runs.

A thread that waits for work reads a counter for about a millisecond, in compiled code and offering its core to others,
before it goes to sleep. So a run that follows soon begins within microseconds, on a core of its own; a thread
that has to be woken starts next to the one that wakes it, and the system takes milliseconds to move it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import cache

import numpy as np

from sglibrary.run.team_loop import LINE, Leaving, reached, set_counter

OFFERS = 2000
"""How often a thread offers its core to others before it sleeps: about a millisecond."""


def _nothing(worker: int) -> None:
    """What threads work on between runs."""


class ThreadPool:
    """The calling thread and others, which have numbers from 1 on."""

    def __init__(self, workers: int):
        self._orders = np.zeros((workers, LINE), np.int64)  # how many runs were begun; those that each has finished
        self._called, self._one_run = threading.Condition(), threading.Lock()
        self._work: Callable[[int], None] = _nothing
        self._errors: list[BaseException | None] = [None] * workers
        for worker in range(1, workers):
            threading.Thread(target=self._serve, args=(worker,), name=f"groupkin-{worker}", daemon=True).start()

    def run(self, work: Callable[[int], None]) -> None:
        """Call ``work(worker)`` in every thread and wait for all; raise the first exception."""
        with self._one_run:
            self._work, run = work, int(self._orders[0, 0]) + 1
            errors: list[BaseException | None] = [None] * len(self._errors)
            self._errors = errors
            with self._called:
                set_counter(self._orders, 0, run)
                self._called.notify_all()
            try:
                work(0)
            finally:
                for worker in range(1, len(self._orders)):
                    while not reached(self._orders, worker, run, OFFERS):
                        time.sleep(1e-4)
                # threads that wait keep nothing of what they have worked on
                self._work, self._errors = _nothing, [None] * len(errors)
            for error in errors:
                if error is not None:
                    raise error

    def run_interruptible(self, work: Callable[[int], None], stop: Callable[[], None]) -> None:
        """`run` with another thread in place of this one, which stays free: if it is interrupted ``stop()`` is called.

        Compiled code does not notice an interrupt from the keyboard.
        """
        errors: list[BaseException] = []
        done = threading.Event()  # CPython 3.11 takes a thread whose join is interrupted for finished

        def run_all() -> None:
            try:
                self.run(work)
            except BaseException as error:
                errors.append(error)
            finally:
                done.set()

        threading.Thread(target=run_all, name="groupkin-0", daemon=True).start()
        try:
            done.wait()
        except BaseException:
            stop()
            done.wait()
            raise
        if errors:
            raise errors[0]

    def leaving(self, worker: int) -> Leaving:
        """How compiled code of a worker says that it is done."""
        return Leaving(self._orders, worker, OFFERS)

    def _serve(self, worker: int) -> None:
        run = 0
        while True:
            run += 1
            if not reached(self._orders, 0, run, OFFERS):
                with self._called:
                    self._called.wait_for(lambda: self._orders[0, 0] >= run)  # noqa: B023
            try:
                self._work(worker)
            except BaseException as error:
                self._errors[worker] = error
            set_counter(self._orders, worker, run)


@cache
def thread_pool(workers: int) -> ThreadPool:
    """The one pool of so many threads."""
    return ThreadPool(workers)
