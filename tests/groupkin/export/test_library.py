"""Mechanisms as shared libraries: the bits of Python, called without it."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import ExportError, GroupkinError
from groupkin.export import linking
from groupkin.export.models import shared_model
from groupkin.kinematics.solving.driver_values import drive
from tests.groupkin.kinematics.test_couplings import OF, slopes, surface
from tests.support.coupled import ALL, ellipsoid
from tests.support.examples import SOLVABLE, described
from tests.support.foreign import Foreign, pointer

Array = NDArray[np.float64]

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")

SOME = ("four_bar", "stephenson_six_bar", "stewart_inverse")
"""A closed plane form, Newton's method, closed forms in space."""


@cache
def built(name: str) -> tuple[Path, Path, Any]:
    import atexit
    import tempfile

    folder = tempfile.TemporaryDirectory(prefix="groupkin-export-")
    atexit.register(folder.cleanup)
    mechanism = described(name).mechanism
    head, library = gk.export_library(mechanism, folder.name, name=name)
    return head, library, shared_model(gk.program(mechanism))


def loaded(name: str) -> Foreign:
    return Foreign.loaded(built(name)[1], built(name)[2])


def steps(name: str, n: int) -> tuple[gk.Program, Array]:
    """A program, and what its drivers do (drivers, 5, n) at n times of its motion."""
    file = described(name)
    program = gk.program(file.mechanism)
    return program, drive(program, np.linspace(0.0, file.motion.duration if file.motion else 1.0, n))


def require_bits(name: str, n: int) -> None:
    program, given = steps(name, n)
    motion, foreign = program.evaluate(*np.swapaxes(given[:, :3], 0, 1), path=True), loaded(name)
    for j in range(n):
        status = foreign.evaluate(*given[:, :3, j].T)
        assert (status == 0) == motion.solved[j]
        for kept, row in (("q", motion.q), ("v", motion.v), ("a", motion.a)):
            np.testing.assert_array_equal(foreign.rows(kept), row[:, j])


@pytest.mark.parametrize("name", SOME)
def test_same_bits_as_python(name: str) -> None:
    require_bits(name, 101)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", sorted({*SOLVABLE} - {*SOME}))
def test_same_bits_as_python_in_all_examples(name: str) -> None:
    require_bits(name, 401)


@pytest.mark.parametrize("name", SOME)
def test_what_is_read_is_what_motions_tell(name: str) -> None:
    program, given = steps(name, 5)
    motion, foreign = program.evaluate(*np.swapaxes(given[:, :3], 0, 1), path=True), loaded(name)
    d, size, spun = (
        program.mechanism.dimension,
        program.geometry.size,
        slice(None) if program.mechanism.dimension == 3 else 2,
    )
    for j in range(5):
        foreign.evaluate(*given[:, :3, j].T)
        for k, body in enumerate(program.poses):
            position, rotation = foreign.read("gk_pose", k, sizes=(3, 9))
            velocity, spin = foreign.read("gk_twist", k, sizes=(3, 3))
            acceleration, gain = foreign.read("gk_acceleration", k, sizes=(3, 3))
            near = {"rtol": 1e-13, "atol": 1e-13 * size}  # other sums of the same few products
            np.testing.assert_allclose(position[:d], motion.position(body)[j], **near)
            np.testing.assert_allclose(rotation.reshape(3, 3)[:d, :d], motion.rotation(body)[j], atol=1e-14)
            np.testing.assert_allclose(velocity[:d], motion.velocity(body)[j], **near)
            np.testing.assert_allclose(spin[spun], motion.angular_velocity(body)[j], rtol=1e-13, atol=1e-13)
            np.testing.assert_allclose(acceleration[:d], motion.acceleration(body)[j], rtol=1e-12, atol=1e-12 * size)
            np.testing.assert_allclose(gain[spun], motion.angular_acceleration(body)[j], rtol=1e-12, atol=1e-12)
        for k, point in enumerate(program.geometry.points):
            for order, read in enumerate((motion.position, motion.velocity, motion.acceleration)):
                (found,) = foreign.read("gk_point", k, order, sizes=(3,))
                np.testing.assert_allclose(found[:d], read(point)[j], rtol=1e-12, atol=1e-12 * size)


@pytest.mark.parametrize("name", SOME)
def test_joints_and_their_rates(name: str) -> None:
    program, given = steps(name, 101)
    file, foreign = described(name), loaded(name)
    assert file.motion is not None
    motion = gk.solve(program, np.linspace(0.0, file.motion.duration, 101))
    found = np.array([foreign.joints(given[:, 0, j])[1] for j in range(101)]).T
    names = list(dict.fromkeys(x.joint for x in foreign.shared.joints.coordinates))
    # Newton's method ends within 1e-12 wherever it starts from
    np.testing.assert_allclose(found, np.concatenate([motion.joint(joint) for joint in names]), atol=1e-12)
    foreign.evaluate(*given[:, :3, 50].T)
    (rates,) = foreign.read("gk_joint_rates", sizes=(len(found),))
    rows = np.concatenate([motion.joint_rate(joint)[:, 50] for joint in names])
    np.testing.assert_allclose(rates, rows, rtol=1e-10, atol=1e-10)


def test_whole_turns_go_on_from_call_to_call() -> None:
    foreign = loaded("four_bar")
    turns = np.linspace(0.0, -6.0 * np.pi, 100)
    crank = np.array([foreign.joints(np.array([x]))[1] for x in turns])
    np.testing.assert_allclose(crank[:, 0], turns, atol=1e-14)  # the driven joint follows its driver
    relative = crank @ [1.0, 1.0, 1.0, -1.0]  # D is that of the rocker against the ground
    np.testing.assert_allclose(relative, relative[0], atol=1e-12)  # four angles of a loop add up to a constant


@pytest.mark.parametrize("name", SOME)
def test_jacobians_are_rates_of_unit_rates(name: str) -> None:
    program, given = steps(name, 3)
    foreign = loaded(name)
    foreign.evaluate(*given[:, :3, 1].T)
    d, work = len(program.drivers), np.zeros_like(foreign.memory)
    before = foreign.memory.copy()
    rows = [f"joint {_quoted(x)}" for x in dict.fromkeys(x.joint for x in foreign.shared.joints.coordinates)]
    motion = program.evaluate(given[:, 0, :2], path=True)
    expected = np.concatenate([gk.jacobian(motion, row).values[1] for row in rows])
    found = np.zeros(expected.shape)
    assert foreign.library.gk_jacobian(pointer(foreign.memory), pointer(work), pointer(found)) == 0
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    np.testing.assert_array_equal(before, foreign.memory)
    body = np.zeros((6, d))
    assert foreign.library.gk_body_jacobian(pointer(foreign.memory), pointer(work), 1, pointer(body)) == 0
    rates = given[:, 1, 1]
    (velocity, spin) = foreign.read("gk_twist", 1, sizes=(3, 3))
    np.testing.assert_allclose(body @ rates, [*velocity, *spin], rtol=1e-9, atol=1e-9)


def _quoted(name: str) -> str:
    return f"'{name}'" if re.search(r"\W", name) else name


def test_a_model_is_copied_as_memory() -> None:
    _, given = steps("stephenson_six_bar", 41)
    first, second = loaded("stephenson_six_bar"), loaded("stephenson_six_bar")
    for j in range(20):
        first.evaluate(*given[:, :3, j].T)
    second.memory[:] = first.memory
    for j in range(20, 41):
        first.evaluate(*given[:, :3, j].T)
        second.evaluate(*given[:, :3, j].T)
    np.testing.assert_array_equal(first.memory, second.memory)


def test_values_that_are_none_are_not_solved_and_what_follows_is() -> None:
    for name in ("four_bar", "stephenson_six_bar"):
        program, given = steps(name, 3)
        foreign = loaded(name)
        assert foreign.evaluate(np.full(len(program.drivers), np.nan)) != 0
        assert np.isnan(foreign.rows("q")).any()
        assert foreign.evaluate(given[:, 0, 0]) == 0


@pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf tells what a library needs")
@pytest.mark.parametrize("name", SOME)
def test_needs_nothing_but_the_libraries_of_c(name: str) -> None:
    library = built(name)[1]
    dynamic = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
    assert {x.partition(".")[0] for x in re.findall(r"NEEDED.*\[(.*)\]", dynamic)} <= {"libc", "libm"}
    assert "TEXTREL" not in dynamic
    symbols = subprocess.run(
        ["readelf", "--dyn-syms", "-W", library], capture_output=True, text=True, check=True
    ).stdout
    called = set(re.findall(r" UND (\w+)", symbols))
    functions = {
        "atan2",
        "cos",
        "sin",
        "sincos",
        "pow",
        "sqrt",
        "nearbyint",
        "memcpy",
        "memset",
        "fma",
        "floor",
        "fabs",
    }
    weak = {"__cxa_finalize", "__gmon_start__", "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable"}
    assert called <= functions | weak
    assert library.stat().st_size <= {"four_bar": 100e3, "stewart_inverse": 140e3}.get(name, 400e3)


ABORTING = """\
#include "{name}.h"
#include <stdio.h>
#include <stdlib.h>
static int armed = 0;
void *malloc(size_t size) {{ if (armed) abort(); static char pool[1 << 20]; static size_t used = 0;
    used = (used + 63) / 64 * 64 + size; return used <= sizeof pool ? pool + used - size : NULL; }}
void *calloc(size_t n, size_t size) {{ return malloc(n * size); }}
void *realloc(void *old, size_t size) {{ (void)old; return malloc(size); }}
void free(void *old) {{ (void)old; }}
static gk_model model, work;
int main(void) {{
    double driven[GK_DRIVERS] = {{{values}}}, all[GK_COORDINATES], jacobian[GK_COORDINATES * GK_DRIVERS];
    int failed = 0;
    armed = 1;
    gk_init(&model);
    for (int k = 0; k < 100; k++) {{
        driven[0] += {step};
        failed |= gk_joints(&model, driven, all) | gk_jacobian(&model, &work, jacobian);
    }}
    armed = 0;
    printf("%d %.17g\\n", failed, all[0]);
    return 0;
}}
"""


@pytest.mark.parametrize("name", ["stephenson_six_bar"])
def test_allocates_no_memory(name: str, tmp_path: Path) -> None:
    head, library, shared = built(name)
    values = ", ".join(str(driven.reference) for driven in shared.program.drivers)
    (tmp_path / "main.c").write_text(ABORTING.format(name=name, values=values, step=0.003))
    command = ["cc", "-std=c99", "-fno-builtin", f"-I{head.parent}", "main.c", str(library), "-o", "main"]
    subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "0"


def test_the_header_is_c_and_cpp(tmp_path: Path) -> None:
    head = built("stewart_inverse")[0]
    for compiler, options in (("cc", ["-std=c99"]), ("c++", ["-std=c++11"])):
        if shutil.which(compiler) is None:
            continue
        source = tmp_path / ("use.c" if compiler == "cc" else "use.cpp")
        source.write_text(
            f'#include "{head.name}"\nint main(void) {{ gk_model m; gk_init(&m); return GK_BODY_platform; }}\n'
        )
        command = [compiler, *options, "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{head.parent}", "-fsyntax-only"]
        subprocess.run([*command, str(source)], check=True)


def test_functions_of_python_are_refused(tmp_path: Path) -> None:
    coupling = gk.Coupling("surface", of=OF, function=surface, derivatives=slopes)
    with pytest.raises(ExportError, match=r"the group of .* is coupled by a function of Python"):
        gk.export_library(ellipsoid(coupling).mechanism, tmp_path)


@pytest.mark.exhaustive
def test_tables_and_formulas_between_joints_have_the_same_bits(tmp_path: Path) -> None:
    for name, make in ALL.items():
        mechanism = make().mechanism
        program = gk.program(mechanism)
        given = drive(program, np.linspace(0.0, 0.5, 21))
        motion = program.evaluate(*np.swapaxes(given[:, :3], 0, 1), path=True)
        foreign = Foreign.loaded(gk.export_library(mechanism, tmp_path, name=name)[1], shared_model(program))
        for j in range(21):
            foreign.evaluate(*given[:, :3, j].T)
            np.testing.assert_array_equal(foreign.rows("a"), motion.a[:, j])


def test_messages(tmp_path: Path) -> None:
    mechanism = described("four_bar").mechanism
    with pytest.raises(ExportError, match="no target 'arm64-linux'; did you mean aarch64-linux"):
        gk.export_library(mechanism, tmp_path, target="arm64-linux")
    with (
        mock.patch.object(linking.shutil, "which", return_value=None),
        mock.patch.object(linking, "find_spec", return_value=None),
        pytest.raises(ExportError, match="no C compiler"),
    ):
        gk.export_library(mechanism, tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(GroupkinError, match="cannot be written"):
        gk.export_library(mechanism, tmp_path / "file")
    with (
        mock.patch.object(linking, "OPTIONS", ("-no-such-option",)),
        pytest.raises(ExportError, match="compiler failed"),
    ):
        gk.export_library(mechanism, tmp_path)
