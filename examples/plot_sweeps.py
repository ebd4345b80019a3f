"""Pictures of the two sweeps among the examples, from stores or solved here and now.

python examples/plot_sweeps.py [--tolerance tolerance.zarr] [--workspace workspace.zarr] [--folder docs]
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
import xarray as xr
from matplotlib.figure import Figure

import cluster

EXAMPLES = Path(__file__).parent


def tolerance(found: xr.Dataset) -> Figure:
    """How the coupler's point scatters, and which dimension is to blame."""
    figure = Figure(figsize=(8.0, 3.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    height = 1e3 * (found["height"] - found["height"].mean())
    left.hist(height, bins=60, color="tab:blue")
    left.set(xlabel="height of P, mm from its mean", ylabel="linkages")
    causes = {
        f"{name}.{axis}" if found[name].ndim > 1 else name: np.corrcoef(height, part)[0, 1] ** 2
        for name in found.coords
        if "sample" in found[name].dims and name != "sample"
        for axis, part in zip("xyz", np.atleast_2d(found[name].values.T), strict=False)
    }
    right.barh(list(causes), list(causes.values()), color="tab:blue")
    right.set(xlabel="share of the variance of the height", xlim=(0, 1))
    return figure


def workspace(found: xr.Dataset) -> Figure:
    """Cells that the center of the platform can reach: seen from the side, and from above."""
    figure = Figure(figsize=(8.0, 3.4), layout="constrained")
    reached = found["workspace"] > 0
    x, y, z = (1e3 * reached[f"workspace.{axis}"] for axis in "xyz")
    side = reached.sel({"workspace.y": 0.0}, method="nearest")
    above = reached.sum("workspace.z") * float(z[1] - z[0])
    left, right = figure.subplots(1, 2)
    left.pcolormesh(x, z, side.T, cmap="Blues")
    left.set(xlabel="x, mm", ylabel="z, mm", title="reached at y = 0", aspect="equal")
    shades = right.pcolormesh(x, y, above.where(above > 0).T, cmap="Blues")
    right.set(xlabel="x, mm", ylabel="y, mm", title="seen from above", aspect="equal")
    figure.colorbar(shades, label="height of the workspace, mm")
    return figure


def opened(store: Path | None, name: str) -> xr.Dataset:
    """The results in a store, or those of the sweep among the examples."""
    if store is None:
        return cluster.solve(cluster.read_sweep(EXAMPLES / f"{name}.sweep.toml"))
    return xr.open_zarr(store)


@click.command()
@click.option("--tolerance", "first", type=Path, help="Store of four_bar_tolerance.sweep.toml.")
@click.option("--workspace", "second", type=Path, help="Store of stewart_workspace.sweep.toml.")
@click.option("--folder", type=Path, default=Path("docs"), show_default=True)
def main(first: Path | None, second: Path | None, folder: Path) -> None:
    """Draw the tolerance analysis and the workspace."""
    folder.mkdir(parents=True, exist_ok=True)
    drawings = ((tolerance, first, "four_bar_tolerance"), (workspace, second, "stewart_workspace"))
    for draw, store, name in drawings:
        draw(opened(store, name)).savefig(folder / f"{name}.png", dpi=90)
        click.echo(f"wrote {folder / name}.png")


if __name__ == "__main__":
    main()
