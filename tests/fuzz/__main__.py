"""The whole fuzz: ``python -m tests.fuzz --inputs 100000 --misuses 20000 --loaded 30000 --models 20000 --seed 0``."""

from __future__ import annotations

import faulthandler
import resource
import sys
from pathlib import Path

import click

import tests.conftest  # noqa: F401  # chooses the cache of kernels, before numba is imported
from tests.fuzz.running import fuzz

MEMORY = 12 * 2**30
"""Bytes of address space, so that what would take all memory is found instead."""


@click.command()
@click.option("--inputs", type=int, default=100_000, show_default=True, help="Mutated files.")
@click.option("--misuses", type=int, default=20_000, show_default=True, help="Calls with wrong arguments.")
@click.option("--loaded", type=int, default=30_000, show_default=True, help="Changed mechanisms, most of which load.")
@click.option("--damaged", type=int, default=3_000, show_default=True, help="Damaged checkpoints and logs of fits.")
@click.option("--models", type=int, default=20_000, show_default=True, help="Mutated robot models.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--first", type=int, default=0, show_default=True, help="Number of the first of each.")
@click.option("--keep", type=click.Path(path_type=Path), help="Folder for the files of findings.")
def main(
    inputs: int, misuses: int, loaded: int, damaged: int, models: int, seed: int, first: int, keep: Path | None
) -> None:
    """Mutate files and mechanisms, misuse the Python interface; print what is wrong or no error of the project."""
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    numbers = {"input": inputs, "misuse": misuses, "loaded": loaded, "damaged": damaged, "model": models}
    found = fuzz(numbers, seed, first=first, keep=keep, show=lambda line: click.echo(line))
    click.echo(found.summary)
    sys.exit(1 if found.findings else 0)


main()
