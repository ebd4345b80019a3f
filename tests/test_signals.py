"""Tests that end programs by signals do so wherever they run."""

from __future__ import annotations

import signal

import pytest

from tests.support.processes import SIGNALS, run, usual_signals

TOLD = """
import signal
blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
print([signal.getsignal(number) == signal.SIG_IGN or number in blocked for number in (signal.SIGINT, signal.SIGTERM)])
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no signals are blocked here")
@pytest.mark.parametrize("blocked", [False, True], ids=["ignored", "blocked"])
def test_signals_arrive_though_the_shell_ignores_them(blocked: bool) -> None:
    with usual_signals():  # which a failure leaves as they were
        for number in SIGNALS:
            signal.signal(number, SIGNALS[number] if blocked else signal.SIG_IGN)
        if blocked:
            signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        assert "[True, True]" in run(0, "-c", TOLD)
        with usual_signals():
            assert "[False, False]" in run(0, "-c", TOLD)
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        assert "[True, True]" in run(0, "-c", TOLD)
