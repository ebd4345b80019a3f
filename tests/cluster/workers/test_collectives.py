"""Collective operations on ranks: what one rank raises is raised by all."""

from __future__ import annotations

import pytest

from tests.support.processes import run

ONCE = """
import os
from cluster.workers.collectives import broadcast, run_on_all
from cluster.workers.launchers import communicator
from groupkin.errors import ChangedSweepError, NotAssembledError, WorkError
comm = communicator()
calls = []
assert broadcast(comm, lambda: calls.append(0) or {"found": 3}) == {"found": 3}
assert len(calls) == (comm.rank == 0)
class Odd(Exception):
    def __str__(self):
        return "odd"
def refuse(error):
    raise error
for shared in broadcast, run_on_all:
    for error, kind, text in (
        (NotAssembledError("a gap", {"A": (1.0, "m")}), NotAssembledError, "a gap"),
        (ChangedSweepError("other", ("seed",)), ChangedSweepError, "other"),
        (OSError(28, "full", "file"), OSError, "[Errno 28] full: 'file'"),
        (Odd(lambda: 0), Odd if comm.rank == 0 else WorkError, "odd"),
        (RuntimeError(), RuntimeError, ""),
    ):
        try:
            shared(comm, (lambda: refuse(error)) if comm.rank == 0 else (lambda: None))
        except Exception as raised:
            same = (type(raised), str(raised)) == (kind, text) and (kind is WorkError or vars(raised) == vars(error))
            os.write(1, b"refused " if same else f"{comm.rank} {raised!r} ".encode())
"""


@pytest.mark.smoke
def test_what_rank_0_refuses_is_raised_by_all_as_the_same_error():
    said = run(2, "-c", ONCE)
    assert said.count("refused") == 2 * 2 * 5, said
