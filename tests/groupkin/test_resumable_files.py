"""Files from which simulations and fits go on: what is damaged, in any way, is refused and never believed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.durable_files import exists
from groupkin.errors import CheckpointError, FitError, GroupkinError
from groupkin.resumable_files import HEADER, ResumableFile
from tests.groupkin.dynamics.simulation.test_simulation import pendulum
from tests.groupkin.synthesis.test_fit import DESIGN, DRIVEN, WANTED, done_by

REFUSED = r" is damaged, or is not a file from which a \w+ goes on; remove it to begin anew, or choose another name"

DATA = {"a": np.linspace(0, 1, 7), "n": np.arange(4).reshape(2, 2), "flag": np.array(True), "list": [[1, "x"], None]}


def file_at(path: Path) -> ResumableFile:
    return ResumableFile(path, "simulation", 1, sha256(b"asked").hexdigest(), "times", CheckpointError)


def damaged(whole: bytes, random: np.random.Generator) -> bytes:
    """Flip a bit, cut, overwrite, insert, leave out, repeat or exchange; now and then more than once."""
    content = bytearray(whole)
    for _ in range(random.choice([1, 1, 1, 2, 5])):
        low, high = sorted(random.integers(0, len(content) + 1, 2).tolist())
        way = random.integers(7) if content else 3
        if way == 0:
            content[random.integers(len(content))] ^= 1 << random.integers(8)
        elif way == 1:
            del content[low:]
        elif way == 2:
            content[low:high] = random.bytes(high - low)
        elif way == 3:
            content[low:low] = random.bytes(random.integers(1, 9))
        elif way == 4:
            del content[low:high]
        elif way == 5:
            content[low:low] = content[low:high]
        else:
            content[random.integers(len(content))] = ord(str(random.integers(10)))
    return bytes(content)


def sealed(file: Path, content: bytes) -> None:
    """Put other content in a file under digests that agree with it."""
    header = HEADER.match(file.read_bytes())
    assert header is not None
    begin = header[1].replace(b" " + header[4] + b" ", f" {len(content)} ".encode())
    file.write_bytes(begin + sha256(begin + content).hexdigest().encode() + b"\n" + content)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = file_at(tmp_path / "kept")
    assert file.read() is None
    file.write(DATA | {"numbers": [0.1, float("inf"), 1e-320]})
    found = file.read()
    for name in ("a", "n", "flag"):
        assert found[name].dtype == DATA[name].dtype  # type: ignore[attr-defined]
        assert np.array_equal(found[name], DATA[name])
    assert found["list"] == DATA["list"]
    assert found["numbers"] == [0.1, float("inf"), 1e-320]
    for other in (replace(file, request=sha256(b"else").hexdigest()), replace(file, form=2)):
        with pytest.raises(CheckpointError, match="is of another simulation: times were others"):
            other.read()
    with pytest.raises(CheckpointError, match=REFUSED):
        replace(file, kind="fit").read()


@pytest.mark.parametrize("count", [500, pytest.param(20_000, marks=pytest.mark.long)])
def test_nothing_damaged_is_believed(tmp_path: Path, count: int) -> None:
    file, random = file_at(tmp_path / "kept"), np.random.default_rng(count)
    file.write(DATA)
    whole = file.path.read_bytes()
    for _ in range(count):
        content = damaged(whole, random)
        file.path.write_bytes(content)
        if content == whole:
            continue
        with pytest.raises(CheckpointError, match=REFUSED):
            file.read()


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 100_000,
        b"[" * 30 + b"]" * 30,
        b'{"a": 1' + b"0" * 400 + b"}",
        b'{"a": 1' + b"0" * 5000 + b"}",
        b'{"numbers": "float64", "shape": [1000000000000, 100000000], "base64": ""}',
        b'{"numbers": "object", "shape": [1], "base64": "AAAAAAAAAAA="}',
        b'{"numbers": ["float64"], "shape": [1], "base64": "AAAAAAAAAAA="}',
        b'{"numbers": "float64", "shape": [1], "base64": "AAAA"}',
        b'{"numbers": "float64", "shape": "x", "base64": 3}',
        b"\xff\xfe",
        b"",
    ],
)
def test_what_is_made_up_is_read_within_limits(tmp_path: Path, content: bytes) -> None:
    file = file_at(tmp_path / "kept")
    file.write(DATA)
    sealed(file.path, content)
    with pytest.raises(CheckpointError, match=REFUSED):
        file.read()


@pytest.mark.skipif(os.name == "nt", reason="there are no such files")
def test_only_regular_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        with pytest.raises(CheckpointError, match=REFUSED):
            file_at(path).read()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(CheckpointError, match="cannot be read"):
        file_at(tmp_path / "loop").read()


def simulated(file: Path) -> Any:
    return gk.simulate(pendulum(), [0.0, 0.5, 1.0], checkpoint=file, resume=True).q


def fitted(file: Path) -> Any:
    return gk.fit(DESIGN, {"position P": done_by(WANTED, "position P") + 1e-3}, DRIVEN, starts=2, log=file).values


USERS: list[tuple[Callable[[Path], Any], type[GroupkinError]]] = [(simulated, CheckpointError), (fitted, FitError)]


@pytest.mark.parametrize(("run", "error"), USERS)
@pytest.mark.parametrize("count", [4, pytest.param(3000, marks=pytest.mark.long)])
def test_those_who_go_on_refuse_damage(
    tmp_path: Path, run: Callable[[Path], Any], error: type[GroupkinError], count: int
) -> None:
    file, random = tmp_path / "kept", np.random.default_rng(count)
    right = run(file)
    whole = file.read_bytes()
    assert np.array_equal(run(file), right)
    for _ in range(count):
        file.write_bytes(content := damaged(whole, random))
        if content != whole:
            with pytest.raises(error, match=re.escape(str(file)) + REFUSED):
                run(file)
    numbers = re.search(rb'"base64": "(\w)', whole)
    assert numbers is not None
    changed = whole[: numbers.start(1)] + (b"B" if numbers[1] == b"A" else b"A") + whole[numbers.end(1) :]
    file.write_bytes(changed)  # other numbers under the same request
    with pytest.raises(error, match=REFUSED):
        run(file)
    for made_up in (b"{}", b"[]", b"3", whole[whole.index(b"\n") + 1 :].replace(b'"shape": [', b'"shape": [1, 1, ')):
        file.write_bytes(whole)
        sealed(file, made_up)
        with pytest.raises(error, match=REFUSED):
            run(file)
    file.unlink()
    assert not exists(file)
    assert np.array_equal(run(file), right)
