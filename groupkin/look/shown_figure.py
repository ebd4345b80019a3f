"""Figures that a notebook shows."""

from __future__ import annotations

from io import BytesIO

from matplotlib.figure import Figure

from groupkin.picture_files import any_signs


class ShownFigure(Figure):
    """A figure that a notebook shows where a cell returns it, whether pyplot is imported or not."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        file = BytesIO()
        with any_signs():
            self.savefig(file, format="png")
        width, height = (int(size) for size in 1.4 * 96 * self.get_size_inches())  # on a screen, from farther away
        return file.getvalue(), {"width": width, "height": height}
