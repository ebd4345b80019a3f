"""The worked examples: against formulas of their own, and the page that explains them."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import cluster
import groupkin as gk
from groupkin.cli.main import main
from tests.support.paths import ROOT


def test_the_workspace_by_hand() -> None:
    """Level platform: a leg is as long as its upper end, shifted with the center, is far from its lower one."""
    sweep = replace(cluster.read_sweep(ROOT / "examples" / "stewart_workspace.sweep.toml"), draws=4096)
    found = cluster.solve(sweep)
    center = np.stack([found[f"pose.{axis}.offset"] for axis in "xyz"], axis=1)
    at = {name: np.array(place) for name, place in sweep.mechanism.points.items()}
    legs = [np.linalg.norm(at[f"P{k}"] - at["T"] + center - at[f"B{k}"], axis=1) for k in range(1, 7)]
    inside = np.all([(leg >= 0.45) & (leg <= 0.7) for leg in legs], axis=0)
    box = sweep.keep[0]
    assert isinstance(box, cluster.Occupancy)
    edges = [np.linspace(low, high, count + 1) for low, high, count in zip(box.low, box.high, box.cells, strict=True)]
    expected = np.histogramdd(center[inside], bins=edges)[0]
    assert 400 < inside.sum() < 1000
    np.testing.assert_array_equal(found["workspace"], expected)


def test_the_tolerances_by_hand() -> None:
    """The crank points left, so B is left of A; C is where two circles meet; P is fixed to B and C."""
    found = cluster.solve(replace(cluster.read_sweep(ROOT / "examples" / "four_bar_tolerance.sweep.toml"), draws=50))
    ab, bc, cd, dx = (found[name].values for name in ("crank.A-B", "coupler.B-C", "rocker.C-D", "ground.D.x"))
    span = dx + ab
    x, turn = (bc**2 - cd**2 + span**2) / (2 * span), 1.0
    c = np.stack([x - ab, turn * np.sqrt(bc**2 - x**2)], axis=1)
    b = np.stack([-ab, 0 * ab], axis=1)
    # nominally, B and C have moved along their line to be at the new distance
    middle, along = np.array([-12.5e-3, 50e-3]), np.array([0.6, 0.8])
    arm = found["coupler.P"].values - (middle - 0.5 * bc[:, None] * along)
    u = (c - b) / bc[:, None]
    p, q = arm @ along, arm @ (-along[1], along[0])
    height = b[:, 1] + p * u[:, 1] + q * u[:, 0]
    np.testing.assert_allclose(found["height"], height, atol=1e-12)
    assert np.ptp(height) > 1e-4


def page() -> str:
    return (ROOT / "docs" / "sweeps.md").read_text()


def stated(part: Any, whole: Any) -> bool:
    """Whether a part of a file says nothing that the whole does not say."""
    if isinstance(part, dict):
        return all(key in whole and stated(value, whole[key]) for key, value in part.items())
    if isinstance(part, list) and part and isinstance(part[0], dict):
        return all(any(stated(entry, other) for other in whole) for entry in part)
    return bool(part == whole)


def test_the_page_shows_what_the_files_say() -> None:
    blocks = list(map(tomllib.loads, re.findall(r"```toml\n(.*?)```", page(), re.DOTALL)))
    files = [tomllib.loads(path.read_text()) for path in (ROOT / "examples").glob("*.sweep.toml")]
    shown = [(block, file) for block in blocks for file in files if block.get("mechanism") == file["mechanism"]]
    assert len(shown) == 2
    for block, whole in shown:
        assert stated(block, whole)


def test_python_on_the_page_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    code = re.findall(r"```python\n(.*?)```", page(), re.DOTALL)
    exec(code[0], {})
    least, failed = capsys.readouterr().out.split()
    assert 0.40 < float(least) < 0.41
    assert failed == "0"


def test_the_report_on_the_page_is_what_the_command_prints(tmp_path: Path) -> None:
    path = tmp_path / "tolerance.zarr"
    cluster.batch(cluster.read_sweep(ROOT / "examples" / "four_bar_tolerance.sweep.toml"), path)
    printed = CliRunner().invoke(main, ["batch-report", str(path), "--by", "height", "--top", "1"]).stdout.splitlines()
    page = (ROOT / "docs" / "batches.md").read_text()
    shown = re.search(r"^    (Four-bar linkage:.*?)\n\n\w", page, re.MULTILINE | re.DOTALL)
    assert shown is not None
    lines = [line.split() for line in shown[1].splitlines() if line.strip() not in ("", "…")]
    assert len(lines) == 9
    begin: dict[str, list[str]] = {}
    for words in map(str.split, printed):
        begin.setdefault(" ".join(words[:2]) if words[:1] == ["sample"] else words[0] if words else "", words)
    for words in lines:
        said = begin[" ".join(words[:2]) if words[:1] == ["sample"] else words[0]]
        assert len(words) == len(said)
        for word, other in zip(words, said, strict=True):
            number = re.fullmatch(r"-?\d+(\.\d+)?", word)  # the last digit is not the same on all processors
            assert float(other) == pytest.approx(float(word), rel=1e-4) if number else other == word


def test_pictures_can_be_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    assert matplotlib
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("plot_sweeps", ROOT / "examples" / "plot_sweeps.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, draw in (("four_bar_tolerance", module.tolerance), ("stewart_workspace", module.workspace)):
        found = cluster.solve(replace(cluster.read_sweep(ROOT / "examples" / f"{name}.sweep.toml"), draws=4096))
        draw(found).savefig(tmp_path / f"{name}.png")
        assert (tmp_path / f"{name}.png").stat().st_size > 5000


def test_importing_the_package_is_quick_and_lazy() -> None:
    import subprocess
    import sys

    code = "import cluster, sys; print(sorted({'numpy', 'numba', 'scipy', 'xarray', 'pydantic'} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=90, check=True)
    assert out.stdout.strip() == "[]"
    assert gk.GroupkinError
