"""Progress of a batch in a log file and on a terminal."""

from __future__ import annotations

import io
import re

import pytest

from cluster.stores import progress


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0123, "0.012 s"), (59.4, "59 s"), (200, "3 min 20 s"), (18_720.4, "5 h 12 min")],
)
def test_durations_in_words(seconds, text):
    assert progress.format_duration(seconds) == text


def test_rates_in_words():
    assert progress.format_rate(0.01234) == "0.0123 per second"
    assert progress.format_rate(123456.7) == "123457 per second"


def test_a_log_file_gets_a_line_now_and_then(capsys, monkeypatch):
    now = 0.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: now)
    with progress.progress_line() as show:
        show(100, 1000, 3)
        for k in range(1, 81):
            now += 1.0
            show(100 + 10 * k, 1000, 3 + k)
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "groupkin: 200 of 1000 samples, 13 failed, 10 per second, 1 min 20 s left",
        "groupkin: 800 of 1000 samples, 73 failed, 10 per second, 20 s left",
    ]


def test_a_terminal_gets_one_line_that_moves(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr(progress.sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress.progress_line() as show:
        show(100, 1000, 3)
        show(500, 1000, 7)
    said = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue())
    assert "100 of 1000 samples, 3 failed" in said
    assert "500 of 1000 samples, 7 failed" in said
    assert said.count("\n") <= 1


def test_a_pipe_is_no_terminal(monkeypatch):
    monkeypatch.setattr(progress.sys, "stderr", io.StringIO())
    assert not progress._at_terminal()
