"""All random mechanisms: ``python -m tests.oracles --inverse 2000 --simulations 300``."""

from __future__ import annotations

import sys
import warnings
from contextlib import nullcontext

import click

import tests.conftest  # noqa: F401  # chooses the cache of kernels, before numba is imported
from tests.oracles.running import run
from tests.support.line_by_line import line_by_line


@click.command()
@click.option("--inverse", type=int, default=0, show_default=True, help="Mechanisms in inverse dynamics.")
@click.option("--simulations", type=int, default=0, show_default=True, help="Mechanisms simulated for 2 s.")
@click.option("--first", type=int, default=0, show_default=True, help="Seed of the first of each.")
@click.option("--compiled", is_flag=True, help="Compile what is generated for each mechanism, which takes a second.")
def main(inverse: int, simulations: int, first: int, compiled: bool) -> None:
    """Compare forces and motions of random mechanisms with those of all bodies at once; print what differs."""
    warnings.simplefilter("ignore")
    wrong = False
    for what, count in (("inverse", inverse), ("simulations", simulations)):
        if not count:
            continue
        with nullcontext() if compiled else line_by_line():
            found = run(what, count, first, lambda line: click.echo(line))
        for kind, number in sorted(found.kinds.items()) if count > 1 else ():
            click.echo(f"  {number:5d}  {kind}")
        click.echo(f"{what}: {found.summary}")
        wrong = wrong or bool(found.findings)
    sys.exit(wrong)


main()
