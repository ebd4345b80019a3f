"""Films: the still pictures of a motion one after another, as GIF, or as MP4 and WebM by ffmpeg."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from groupkin.durable_files import disk_errors, replacing_file
from groupkin.errors import OutputError
from groupkin.kinematics.motion.motion import Motion
from groupkin.look.names import draw_names
from groupkin.look.outlines import ROUND
from groupkin.look.scenes.configurations import Configuration, configuration_at, joint_values, shown_as
from groupkin.look.scenes.plane import draw_paths, draw_rings, paint, plane_sheet, ring
from groupkin.look.scenes.plane_scene import PlaneScene, plane_scene
from groupkin.look.scenes.scene import Pose, Tone, local, names, owner, poses_during, poses_in
from groupkin.look.scenes.sight import SCREEN
from groupkin.look.scenes.space import PATH, Sketch, arrow_path, sketched, space_sheet, stacked
from groupkin.look.scenes.space_scene import SpaceScene, space_scene
from groupkin.look.scenes.stops import at_ends
from groupkin.look.sheets import area, line
from sglibrary.array_types import Array, Flags

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Update = Callable[[int], None]
Progress = Callable[[int, int], None]

RATE, DOTS = 25, 100
"""Frames per second, and pixels per inch."""

SHORTEST, LONGEST = 2.0, 10.0
"""Seconds that a film plays if its length is not chosen: as long as the motion, within these limits."""

CODECS = {
    ".mp4": ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"),
    ".webm": ("-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-b:v", "0", "-crf", "32", "-f", "webm"),
}
"""Options of ffmpeg by suffix."""


def check_film(suffix: str) -> None:
    """Refuse a film that nothing here can write.

    Raises
    ------
    OutputError
        If matplotlib, pillow or ffmpeg is missing; the message says what to install.
    """
    try:
        import matplotlib  # noqa: F401
        import PIL  # noqa: F401
    except ImportError:
        raise OutputError("films need matplotlib: pip install 'groupkin[look]'") from None
    if suffix in CODECS:
        ffmpeg()


def ffmpeg() -> str:
    """Find ffmpeg on the path, or that of imageio-ffmpeg.

    Raises
    ------
    OutputError
    """
    found = shutil.which("ffmpeg")
    if found is None or not Path(found).is_absolute():  # on Windows, or by the path, that of the working directory
        try:
            import imageio_ffmpeg
        except ImportError:
            raise OutputError(
                "videos need ffmpeg: install it, or pip install 'groupkin[video]'; a .gif needs none of them"
            ) from None
        found = str(imageio_ffmpeg.get_ffmpeg_exe())
    return found


def write_film(
    motion: Motion,
    path: Path,
    seconds: float | None = None,
    progress: Progress | None = None,
    trace: Sequence[str] | None = None,
    colors: str | None = None,
    named: str | None = None,
) -> int:
    """Write a motion as a film, with the paths of points and joints, and return how many frames it has.

    Without `named`, of which `Configuration.names` says more, nothing is named.

    Raises
    ------
    OutputError
    """
    times = motion.times
    placed = np.flatnonzero(motion.placed)
    span = float(times[placed[-1]] - times[placed[0]])
    length = seconds or min(max(span, SHORTEST), LONGEST)
    instants = np.linspace(times[placed[0]], times[placed[-1]], max(2, round(length * RATE)) if len(placed) > 1 else 1)
    nearest = np.abs(times[placed][None, :] - instants[:, None]).argmin(axis=1) if len(placed) < 5000 else None
    steps = placed[nearest if nearest is not None else np.searchsorted(times[placed], instants)]
    shown = motion.at(steps)
    view = shown_as(configuration_at(motion, int(steps[0]), trace), colors, named)
    seen = at_ends(joint_values(motion), motion.program.geometry.size)
    seen = {joint: flags[steps] for joint, flags in seen.items()}
    figure, update = _film(view, shown, seen, named=named is not None)
    colorful = int(np.any([*seen.values()], axis=0).argmax()) if seen else 0

    def pictures() -> Iterator[Array]:
        for k in range(len(steps)):
            update(k)
            yield _picture(figure)
            if progress is not None:
                progress(k + 1, len(steps))

    write = _write_gif if path.suffix.lower() == ".gif" else _write_video
    with disk_errors(path, begun=False), replacing_file(path) as aside:
        write(pictures(), aside, path.suffix.lower(), colorful)
    return len(steps)


def _film(view: Configuration, shown: Motion, seen: Mapping[str, Flags], named: bool = False) -> tuple[Figure, Update]:
    """Draw the first frame, and return what moves everything to another one.

    Joints that have ranges are at an end of them, or beyond it, where they are seen so.
    """
    from matplotlib.text import Text

    scene = plane_scene(view) if view.mechanism.dimension == 2 else space_scene(view)
    figure, move = _plane_film(scene, shown) if isinstance(scene, PlaneScene) else _space_film(scene, shown)
    figure.set_dpi(DOTS)
    mark = _marked(figure.axes[0], view, shown, seen, scene.r)
    move(0)
    parts = [move, mark, *([_named(figure.axes[0], view, shown, scene.r)] if named else [])]
    captions = [text for text in figure.findobj(Text) if text.get_gid() == "caption"]

    def update(k: int) -> None:
        for part in parts:
            part(k)
        for caption in captions:
            caption.set_text(f"t = {shown.times[k]:.4g} s")

    return figure, update


def _moved(pose: Pose, points: Array) -> Array:
    """Points (k, d) of an owner at all frames (n, k, d)."""
    rotation, shift = pose
    return np.einsum("nij,kj->nki", rotation, points) + shift[:, None]


def _plane_film(scene: PlaneScene, shown: Motion) -> tuple[Figure, Update]:
    keys = {shape.owner for shape in scene.shapes}
    poses, still = poses_during(shown, keys, scene.ends), poses_in(scene.view, keys, scene.ends)
    places = [_moved(poses[shape.owner], local(shape, still)) for shape in scene.shapes]
    everything = np.concatenate([*(place.reshape(-1, 2) for place in places), *scene.view.paths.values()])
    figure, panel, _ = plane_sheet(scene, everything)
    draw_paths(panel, scene.view, scene.view.paths)
    artists = [paint(panel, shape, place[0]) for shape, place in zip(scene.shapes, places, strict=True)]

    def move(k: int) -> None:
        for artist, place in zip(artists, places, strict=True):
            _place(artist, place[k])

    return figure, move


def _space_film(scene: SpaceScene, shown: Motion) -> tuple[Figure, Update]:
    view, r, solids = scene.view, scene.r, scene.solids
    points = {name: view.geometry.points[name] for name in view.free_points}
    keys = {*(solid.owner for solid in solids), *(owner(body) for body, _ in points.values())}
    poses, still = poses_during(shown, keys, scene.ends), poses_in(view, keys, scene.ends)
    places = [_moved(poses[solid.owner], local(solid, still)) for solid in solids]
    paths = {name: path @ SCREEN for name, path in view.paths.items()}
    sketches = [sketched(solids, [p[k] for p in places], r, scene.ground) for k in range(len(shown.times))]
    outlines = [outline for frame in sketches for sketch in frame for _, outline, _ in sketch.outlines]
    arrows = [k for k, solid in enumerate(solids) if solid.kind.startswith("arrow")]
    seen = [path[np.isfinite(path).all(axis=1)] for path in paths.values()]
    figure, panel, _ = space_sheet(scene, sketches[0], np.concatenate([*outlines, *seen]))
    draw_paths(panel, view, paths, PATH)
    lines = [line(panel, np.zeros((2, 2)), solids[k].gid, linewidth=2.4, zorder=13) for k in arrows]
    heads = [area(panel, np.zeros((3, 2)), solids[k].gid, facecolor=Tone("ink").hex, zorder=13) for k in arrows]
    marks = [area(panel, ROUND, f"point {name}", facecolor=Tone("ink").hex, zorder=14) for name in points]
    spots = [_moved(poses[owner(body)], at[None])[:, 0] @ SCREEN for body, at in points.values()]
    areas: list[Any] = []

    def move(k: int) -> None:
        _restack(panel, areas, sketches[k])
        for j, stroke, head in zip(arrows, lines, heads, strict=True):
            path = arrow_path(solids[j], places[j][k], r)
            way = (path[-1] - path[-2]) / max(float(np.linalg.norm(path[-1] - path[-2])), 1e-9 * r)
            _place(stroke, path[:-1])
            across = np.array([-way[1], way[0]]) * 0.42 * solids[j].size
            tip, back = path[-1] + 0.4 * solids[j].size * way, path[-1] - 0.6 * solids[j].size * way
            _place(head, np.array([tip, back + across, back - across]))
        for mark, spot in zip(marks, spots, strict=True):
            _place(mark, spot[k] + 0.5 * r * ROUND)

    return figure, move


def _marked(panel: Any, view: Configuration, shown: Motion, seen: Mapping[str, Flags], r: float) -> Update:
    """Draw the rings about joints that are at the ends of their ranges, and return what moves them."""
    sheet = np.eye(2) if view.mechanism.dimension == 2 else SCREEN
    rings, spots = draw_rings(panel, view, sheet, r), {}
    for joint in rings:
        spots[joint] = (
            shown.point_on(view.mechanism.joint[joint].bodies[1], view.geometry.joints[joint].points[1]) @ sheet
        )

    def mark(k: int) -> None:
        for joint, artist in rings.items():
            artist.set_visible(bool(seen[joint][k]))
            _place(artist, spots[joint][k] + ring(r))

    return mark


def _named(panel: Any, view: Configuration, shown: Motion, r: float) -> Update:
    """Write names beside their places in the first frame, and return what moves them with these."""
    flat = np.eye(2) if view.mechanism.dimension == 2 else SCREEN
    inches = float(panel.figure.get_figwidth() / np.ptp(panel.get_xlim()))
    drawn = [each for each in panel.patches if each.get_visible() and each.get_edgecolor() != each.get_facecolor()]
    others = len(panel.texts)
    draw_names(panel, [(t, at @ flat) for t, at in names(view, r)], [each.get_xy() for each in drawn], 1.5 * r, inches)
    texts, ways = panel.texts[others:], []
    for text in texts:
        first = text.get_text().split(", ")[0]
        body, at = (first, view.middle(first)) if view.names == "bodies" else view.carrier(first)
        path = shown.point_on(body, at) @ flat
        ways.append(np.array(text.get_position()) + path - path[0])

    def name(k: int) -> None:
        for text, way in zip(texts, ways, strict=True):
            text.set_position(way[k])

    return name


def _restack(panel: Any, areas: list[Any], sketches: Sequence[Sketch]) -> None:
    """Give the areas, more of them if needed, the outlines and styles of a frame, the far ones first."""
    parts = list(stacked(sketches))
    areas += [area(panel, np.zeros((3, 2)), "solid") for _ in range(len(parts) - len(areas))]
    for artist in areas[len(parts) :]:
        artist.set_visible(False)
    for artist, (_, z, outline, style) in zip(areas, parts, strict=False):
        artist.set_visible(True)
        artist.set_xy(outline)
        artist.set(**{"edgecolor": Tone("ink").hex, "linewidth": 1.2, **style, "zorder": z})


def _place(artist: Any, points: Array) -> None:
    """Move a line or an area."""
    if hasattr(artist, "set_xy"):
        artist.set_xy(points)
    else:
        artist.set_data(*points.T)


# --- files -----------------------------------------------------------------------------------


def _picture(figure: Figure) -> Any:
    """Pixels (height, width, 3) of a figure."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()


def _write_gif(pictures: Iterator[Any], path: Path, suffix: str, colorful: int) -> None:
    """Write a film in the colors of one of its frames."""
    from PIL import Image

    frames = [Image.fromarray(picture) for picture in pictures]
    palette = frames[colorful].quantize(255, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    flat = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    flat[0].save(path, format="GIF", save_all=True, append_images=flat[1:], duration=1000 // RATE, loop=0)


def _write_video(pictures: Iterator[Any], path: Path, suffix: str, colorful: int) -> None:
    first = next(pictures)
    height, width = first.shape[:2]
    source = ("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(RATE), "-i", "-")
    even = ("-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white")  # codecs halve the resolution of colors
    command = [ffmpeg(), "-loglevel", "error", "-y", *source, *even, *CODECS[suffix], str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        with suppress(BrokenPipeError):  # it says why
            for picture in (first, *pictures):
                process.stdin.write(picture.tobytes())
            process.stdin.close()
        said = process.stderr.read().decode(errors="replace").strip()
    if process.returncode:
        raise OutputError(f"ffmpeg could not write the video: {said.splitlines()[-1] if said else 'it said nothing'}")
