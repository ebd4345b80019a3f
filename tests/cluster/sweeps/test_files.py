"""Sweep files: what they say, and what is wrong with them, in words of the file."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import cluster
from cluster.sweeps.description import as_text
from cluster.sweeps.reductions import Outside
from cluster.sweeps.schema import json_schema
from groupkin.errors import FileError, GroupkinError, SweepError, TimesError
from tests.support.paths import EXAMPLES

SWEEPS = sorted(EXAMPLES.glob("*.sweep.toml"))

GOOD = """
mechanism = "four_bar.toml"
samples = 4
method = "sobol"
seed = 3
times = { duration = 0.5, steps = 6 }
parameters = [
  { point = "C", body = "coupler", normal = { deviation = 0.1, limit = [0.2, 0.3] } },
  { joint = "D", component = "x", range = { low = 99, high = 101, count = 3 } },
  { length = ["A", "B"], body = "crank", csv = "lengths.csv", columns = ["AB"] },
  { driver = "A", law = "start", uniform = { low = 170, high = 190 }, name = "first" },
  { mode = "rocker", grid = [1, 2] },
  { point = "P", list = [[1, 2], [3, 4]], relative = true },
]

[[keep]]
motion = { joint = "C", freedom = "angle" }

[[keep]]
value = { position = "P" }
when = { angle = "crank", equals = 90, direction = "rising" }
name = "upright"

[[keep]]
occupancy = { of = "P", low = [0, 0], high = [1, 2], cells = [3, 4], limits = [{ joint = "C", high = 90 }] }

[[keep]]
conditioning = "rocker"

[[keep]]
range = { velocity = "P", component = "norm" }
"""


IN_TEXTS = {
    'point = "C", body = "coupler"': 'parameter = "C@coupler"',
    'joint = "D", component = "x"': 'parameter = "joint D.x"',
    'length = ["A", "B"], body = "crank"': 'parameter = "length crank A-B"',
    'driver = "A", law = "start"': 'parameter = "start A"',
    'mode = "rocker"': 'parameter = "mode rocker"',
    'point = "P"': 'parameter = "P"',
    'motion = { joint = "C", freedom = "angle" }': 'motion = "C.angle"',
    'value = { position = "P" }': 'value = "position P"',
    'when = { angle = "crank"': 'when = { quantity = "angle crank"',
    'limits = [{ joint = "C"': 'limits = [{ quantity = "joint C"',
    'range = { velocity = "P", component = "norm" }': 'range = "velocity P.norm"',
}
"""Tables, and the texts that mean the same."""


def in_texts() -> str:
    text = GOOD
    for table, short in IN_TEXTS.items():
        assert table in text
        text = text.replace(table, short)
    return text


def written(folder: Path, text: str, name: str = "a.sweep.toml") -> Path:
    for example in ("four_bar.toml", "stewart_inverse.toml"):
        shutil.copy(EXAMPLES / example, folder)
    (folder / "lengths.csv").write_text("CD; AB\n3; 50\n3; 51\n")
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.smoke
def test_numbers_are_in_the_units_of_the_mechanism(tmp_path: Path) -> None:
    sweep = cluster.read_sweep(written(tmp_path, GOOD))
    degree = np.pi / 180
    expected = [
        cluster.Normal(1e-4, limit=[2e-4, 3e-4]),
        cluster.Evenly(0.099, 0.101, 3),
        cluster.Listed((0.05, 0.051)),
        cluster.Uniform(170 * degree, 190 * degree),
        cluster.Grid((1.0, 2.0)),
        cluster.Listed(([1e-3, 2e-3], [3e-3, 4e-3])),
    ]
    for one, other in zip(sweep.parameters, expected, strict=True):
        assert type(one.varies) is type(other)
        for key, value in vars(other).items():
            here = getattr(one.varies, key)
            assert (here is None) == (value is None)
            np.testing.assert_allclose(here or 0.0, value or 0.0, rtol=1e-15)
    assert sweep.names == ("coupler.C", "D.x", "crank.A-B", "first", "mode.rocker", "P")
    assert sweep.samples == 2 * 3 * 2 * 4
    assert (sweep.method, sweep.seed) == ("sobol", 3)
    np.testing.assert_allclose(sweep.times, np.linspace(0, 0.5, 6))
    motion, upright, box, conditioning, speed, outside = sweep.keep
    assert outside == Outside(box)
    assert motion.of == cluster.Quantity("joint", "C", "angle")  # type: ignore[union-attr]
    assert upright.event.equals == pytest.approx(np.pi / 2)  # type: ignore[union-attr]
    assert box.high == (1e-3, 2e-3)  # type: ignore[union-attr]
    assert box.limits[0].high == pytest.approx(np.pi / 2)  # type: ignore[union-attr]
    assert box.limits[0].low == -np.inf  # type: ignore[union-attr]
    assert conditioning.group == "rocker"  # type: ignore[union-attr]
    assert speed.of.component == "norm"  # type: ignore[union-attr]
    assert sweep.source == (EXAMPLES / "four_bar.toml").read_text()
    assert sweep.mechanism.name == "Four-bar linkage"


def test_texts_say_the_same_as_tables(tmp_path: Path) -> None:
    one, other = (cluster.read_sweep(written(tmp_path, text)) for text in (GOOD, in_texts()))
    assert as_text(one) == as_text(other)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"C@coupler"', '"C@copler"', "parameters[0]: there is no body 'copler'; did you mean coupler?"),
        ('"start A"', '"stat A"', "parameters[3]: the law of the driver of joint 'A' is a Ramp"),
        ('"start A"', '"start A", law = "start"', "`law` means nothing with `parameter`"),
        ('"C@coupler"', '"C@coupler", point = "C"', "not both `point` and `parameter`"),
        ('"joint D.x"', '"join D.x"', "parameters[1]: "),
        ('"velocity P.norm"', '"velocty P.norm"', "keep[4]: 'velocty P.norm' is no quantity: there is no kind"),
        ('"position P"', '"A"', "keep[1]: `A` can be read as `position A` or `joint A`"),
        ('"position P"', "3", "keep[1].value ('upright'): must be a text such as 'velocity P.norm', or a table"),
        ('"angle crank"', '"angle crank", freedom = "angle"', "`freedom` means nothing with `quantity`"),
    ],
)
def test_what_is_wrong_in_texts(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = in_texts()
    assert old in text
    with pytest.raises(GroupkinError, match=re.escape(words)):
        cluster.read_sweep(written(tmp_path, text.replace(old, new)))


def test_times_that_are_not_said_are_those_of_the_mechanism(tmp_path: Path) -> None:
    for times, expected in (
        ("times = { steps = 6 }", np.linspace(0.0, 1.0, 6)),
        ("times = { duration = 0.5 }", np.linspace(0.0, 0.5, 361)),
        ("times = { start = 2 }", np.linspace(2.0, 3.0, 361)),
        ("", np.linspace(0.0, 1.0, 361)),
    ):
        text = GOOD.replace("times = { duration = 0.5, steps = 6 }", times)
        path = written(tmp_path, text)
        four_bar = (tmp_path / "four_bar.toml").read_text()
        (tmp_path / "four_bar.toml").write_text(re.sub(r"steps = \d+", "steps = 361", four_bar))
        np.testing.assert_array_equal(cluster.read_sweep(path).times, expected)


def test_several_times_lie_in_some_duration(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD.replace("duration = 0.5", "duration = 0"))
    with pytest.raises(TimesError, match=r"a\.sweep\.toml: times: 6 steps need a duration greater than 0 s"):
        cluster.read_sweep(path)


def test_the_file_may_have_units_of_its_own(tmp_path: Path) -> None:
    text = GOOD.replace("samples = 4", 'samples = 4\nunits = { length = "cm", angle = "rad" }')
    sweep = cluster.read_sweep(written(tmp_path, text))
    assert sweep.parameters[0].varies.deviation == pytest.approx(1e-3)  # type: ignore[union-attr]
    assert sweep.parameters[3].varies.low == 170.0  # type: ignore[union-attr]
    assert sweep.parameters[4].varies.values == (1.0, 2.0)  # type: ignore[union-attr]


@pytest.mark.parametrize("path", SWEEPS, ids=lambda path: path.name)
def test_examples_can_be_read(path: Path) -> None:
    sweep = cluster.read_sweep(path)
    assert sweep.samples >= 10000


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("samples = 4", "sampels = 4", "unknown key 'sampels' (did you mean samples?)"),
        ('method = "sobol"', 'method = "sobel"', "method: must be 'random', 'sobol', 'latin hypercube' or 'saltelli'"),
        ('"four_bar.toml"', '"four_bars.toml"', "mechanism: "),
        ('point = "C", body', 'point = "X", body', "parameters[0]: there is no named point 'X'"),
        ('body = "coupler"', 'body = "copler"', "parameters[0]: there is no body 'copler'; did you mean coupler?"),
        ('joint = "D",', 'joint = "D", point = "C",', "what varies: one of point, joint"),
        ("grid = [1, 2]", "grid = [1, 2], list = [1]", "not both `list` and `grid`"),
        ("grid = [1, 2]", "relative = false", "how it varies"),
        ("deviation = 0.1,", "deviaton = 0.1,", "unknown key 'deviaton' (did you mean deviation?)"),
        ('law = "start"', 'law = "stat"', "parameters[3]: the law of the driver of joint 'A' is a Ramp"),
        ('law = "start", ', "", "`driver` needs `law` as well"),
        ('mode = "rocker",', 'mode = "rocker", body = "rocker",', "`body` means nothing with `mode`"),
        ('columns = ["AB"]', 'columns = ["BA"]', "lengths.csv has no column 'BA'"),
        ('"lengths.csv"', '"length.csv"', "there is no file"),
        ('freedom = "angle" }', 'freedom = "turn" }', "keep[0]: "),
        ('motion = { joint = "C"', 'motion = { point = "C"', "unknown key 'point'"),
        ('value = { position = "P" }', 'value = { position = "Q" }', "keep[1]: there is no body or point 'Q'"),
        ("when = {", "at = 0.1\nwhen = {", "either at a time or at an event"),
        ("samples = 4", "", "`normal` is drawn at random; say how many `samples`"),
        ('method = "sobol"', 'method = "latin_hypercube"', "did you mean latin hypercube?"),
        ('component = "norm"', 'component = "nor"', "did you mean norm?"),
        ('limits = [{ joint = "C", high = 90 }]', 'limits = [{ joint = "C" }]', "needs `low`, `high` or both"),
        ("cells = [3, 4]", "cells = [30000, 40000]", "are too many"),
        ("high = [1, 2]", "high = [1, -2]", "keep[2]: occupancy.P: `low` and `high` must be finite, `high` above"),
        ('conditioning = "rocker"', "conditioning = false", "keep[3]"),
        ('conditioning = "rocker"', 'conditioning = "rocker"\nat = 0.1', "`at` means nothing with `conditioning`"),
        ("list = [[1, 2], [3, 4]]", "list = [[1, 2, 3], [3, 4]]", "parameter 'P': values must be 2 finite numbers"),
        ("list = [[1, 2], [3, 4]]", "list = [[1, 2], [3, 4], [5, 6]]", "same length"),
    ],
)
def test_what_is_wrong_is_said_in_words_of_the_file(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in GOOD
    with pytest.raises(GroupkinError, match=re.escape(words)) as caught:
        cluster.read_sweep(written(tmp_path, GOOD.replace(old, new)))
    assert str(caught.value).startswith("a.sweep.toml: ")


def test_a_mechanism_that_cannot_be_solved_is_named_by_its_file(tmp_path: Path) -> None:
    joint = '{ name = "A", type = "R", bodies = ["base", "arm"], point = [0, 0, 0] }'
    (tmp_path / "arm.toml").write_text(f'dimension = 3\nbodies = ["base", "arm"]\njoints = [{joint}]\n')
    sweep = tmp_path / "arms.sweep.toml"
    varied, kept = '{ joint = "A", list = [[0, 0, 1]] }', '{ maximum = "joint A" }'
    sweep.write_text(f'mechanism = "arm.toml"\nparameters = [{varied}]\nkeep = [{kept}]\n')
    with pytest.raises(GroupkinError, match=r"^arms.sweep.toml: mechanism: arm.toml: .*no `axis` at A"):
        cluster.read_sweep(sweep)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"a sweep file ends in \.toml"):
        cluster.read_sweep(written(tmp_path, GOOD, "a.yaml"))
    with pytest.raises(FileError, match="no such file"):
        cluster.read_sweep(tmp_path / "nothing.toml")


def test_data_of_a_sweep_tell_sweeps_apart(tmp_path: Path) -> None:
    import json

    sweep = cluster.read_sweep(written(tmp_path, GOOD))
    again = cluster.read_sweep(written(tmp_path, "# a comment\n" + GOOD))
    assert json.dumps(sweep.as_data()) == json.dumps(again.as_data())
    for old, new in (
        ("samples = 4", "samples = 5"),
        ("seed = 3", "seed = 4"),
        ("duration = 0.5", "duration = 0.6"),
        ("count = 3", "count = 4"),
        ('"rocker"\n', '"crank"\n'),
        ("high = 90", "high = 91"),
    ):
        assert old in GOOD
        other = cluster.read_sweep(written(tmp_path, GOOD.replace(old, new)))
        assert json.dumps(other.as_data()) != json.dumps(sweep.as_data())


def test_stores_keep_the_names_of_earlier_versions(tmp_path: Path) -> None:
    data = cluster.read_sweep(written(tmp_path, GOOD)).as_data()
    assert data["keep"][0]["kind"] == "Motion"
    assert data["parameters"][4]["of"] == {"kind": "Mode", "group": "rocker"}


def test_long_lists_are_represented_by_their_digest(tmp_path: Path) -> None:
    def listed(last: int) -> cluster.Sweep:
        path = written(
            tmp_path,
            'mechanism = "four_bar.toml"\nkeep = [{ conditioning = true }]\n'
            f'parameters = [{{ point = "P", component = "x", list = {[*range(2000), last]} }}]\n',
        )
        return cluster.read_sweep(path)

    one, other = (str(listed(last).as_data()) for last in (1, 2))
    assert len(one) < 10000
    assert one != other


def test_the_schema_describes_every_key() -> None:
    schema = json_schema()
    assert {"mechanism", "parameters", "keep"} <= set(schema["required"])
    for name, part in {"file": schema, **schema["$defs"]}.items():
        undescribed = [key for key, value in part["properties"].items() if not {"description", "const"} & set(value)]
        assert undescribed == [], name


def test_sweep_errors_are_errors_of_the_project() -> None:
    assert issubclass(SweepError, GroupkinError)
