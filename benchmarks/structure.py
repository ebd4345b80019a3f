"""Decomposition into structural groups: time against size, from 10 to 100,000 bodies, and the published hard cases.

Random plane mechanisms of Assur groups (`groupkin generate`), driven at the crank and at the last two bodies, which
makes one group of many. The mechanism is there; measured is all from counting its equations to the described groups.

    python benchmarks/structure.py [--repeat 5] [--json]
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import click
import numpy as np
from timing import least_of, setting, told

from groupkin.analysis import analyze
from groupkin.mechanism.files.reading import load
from groupkin.mechanism.mechanism import Mechanism
from groupkin.structure.decomposition import decompose
from groupkin.structure.generation import generate

SIZES = (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
FAMILIES = ((1, False), (1, True), (3, False), (3, True))
HARD = ((3, 4), (2, 8))
EXAMPLES = Path(__file__).parents[1] / "examples"


def row(mechanism: Mechanism, repeat: int) -> dict[str, object]:
    structure = decompose(mechanism)
    groups = [len(group.bodies) for group in structure.groups]
    del structure
    return {
        "mechanism": mechanism.name,
        "bodies": len(mechanism.bodies),
        "groups": len(groups),
        "largest": max(groups),
        "ms": 1e3 * least_of(lambda: decompose(mechanism), repeat),
    }


def analysis(mechanism: Mechanism) -> dict[str, object]:
    """Once: `analyze`, which also looks at geometry, closed forms and rank."""
    start = time.process_time()
    structure = analyze(mechanism)
    taken = time.process_time() - start
    groups = [len(group.bodies) for group in structure.groups]
    return {"mechanism": mechanism.name, "bodies": len(mechanism.bodies), "largest": max(groups), "ms": 1e3 * taken}


def transformations(name: str, repeat: int) -> dict[str, object]:
    from groupkin.transformations.exploration import transform

    mechanism = load(EXAMPLES / f"{name}.toml")
    ways = transform(mechanism)  # looks up closed forms for the first time
    return {"transformations": repr(ways), "ms": 1e3 * least_of(lambda: transform(mechanism), repeat)}


@click.command()
@click.option("--repeat", default=5, show_default=True)
@click.option("--json", "as_json", is_flag=True)
def main(repeat: int, as_json: bool) -> None:
    hard = [row(generate(k, n, seed, drive_last=True), repeat) for k, n in HARD for seed in range(3)]
    grown = [
        row(generate(k, max(1, round((size - 2) / (2 * k))), 1, last), repeat) for k, last in FAMILIES for size in SIZES
    ]
    analyses = [analysis(generate(k, round(size / (2 * k)), 1, last)) for k, last in FAMILIES for size in SIZES[2:7]]
    analyses.append(analysis(generate(SIZES[6] // 2, 1, 1)))  # one group
    ways = [transformations(name, repeat) for name in ("rotor_control", "nine_bar")]
    large = [entry for entry in grown if entry["bodies"] >= 1000]  # type: ignore[operator]
    slope = np.polyfit(np.log([e["bodies"] for e in large]), np.log([e["ms"] for e in large]), 1)[0]
    if as_json:
        click.echo(
            json.dumps(
                {
                    **setting(),
                    "hard": hard,
                    "grown": grown,
                    "exponent": slope,
                    "analyses": analyses,
                    "transformations": ways,
                }
            )
        )
        return
    click.echo(f"{'mechanism':<16}{'bodies':>8}{'groups':>8}{'largest':>9}{'ms':>10}{'µs per body':>13}")
    for entry in hard + grown:
        each = 1e3 * entry["ms"] / entry["bodies"]  # type: ignore[operator]
        cells = f"{entry['mechanism']:<16}{entry['bodies']:>8}{entry['groups']:>8}{entry['largest']:>9}"
        click.echo(f"{cells}{entry['ms']:>10.2f}{each:>13.1f}")
    click.echo(f"from 1,000 bodies on, time grows as size to the power {slope:.2f}")
    click.echo("analyze, with geometry and rank")
    for entry in analyses:
        click.echo(f"{entry['mechanism']:<16}{entry['bodies']:>8}{entry['largest']:>17}{entry['ms']:>10.0f}")
    for entry in ways:
        click.echo(f"{entry['transformations']}: {entry['ms']:.0f} ms")
    click.echo(told())


if __name__ == "__main__":
    main()
