"""Pages in a browser: size, time until the second frame, and time per frame while they play.

python benchmarks/page.py
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import groupkin as gk
from tests.support.browser import browser

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
STEPS, RUNS, SECONDS = 1000, 3, 5.0

SECOND_FRAME = """
const watch = () => {
  if (document.body && document.body.dataset.frame !== undefined)
    requestAnimationFrame(() => requestAnimationFrame(() => { window.opened = performance.now(); }));
  else setTimeout(watch, 4);
};
watch();
"""

COUNT_FRAMES = """() => {
  window.frames_ms = [];
  let last = performance.now();
  const next = () => {
    const now = performance.now();
    window.frames_ms.push(now - last);
    last = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}"""


def played(path: Path) -> tuple[float, float]:
    """Milliseconds until the second frame, and the median per frame, in a browser that runs."""
    with browser() as started:
        view: Any = started.new_context(viewport={"width": 1280, "height": 800}, offline=True).new_page()
        view.add_init_script(SECOND_FRAME)
        view.goto(path.as_uri())
        view.wait_for_function("window.opened")
        view.wait_for_timeout(400)
        view.evaluate(COUNT_FRAMES)
        view.keyboard.press("Space")
        view.wait_for_timeout(1000 * SECONDS)
        return view.evaluate("window.opened"), statistics.median(view.evaluate("window.frames_ms"))


def main() -> None:
    """Print a line per page."""
    print(f"{'page':<18} {'MB':>6} {'opens, ms (best)':>18} {'median frame, ms':>18}")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("stewart_inverse", "jansen_leg"):
            described = gk.read(EXAMPLES / f"{name}.toml")
            motion = gk.solve(described.mechanism, np.linspace(0.0, described.motion.duration, STEPS))
            path = Path(folder) / f"{name}.html"
            motion.animate(path)
            opened, frames = zip(*(played(path) for _ in range(RUNS)), strict=True)
            size = path.stat().st_size / 1e6
            print(f"{name:<18} {size:>6.2f} {min(opened):>18.0f} {statistics.median(frames):>18.1f}")


if __name__ == "__main__":
    main()
