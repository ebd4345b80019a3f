// Mechanisms in the plane, by SVG: one element per shape, turned and moved with its body.
import { cloudOf, css, drawn, roundStep } from "./values.js";

const path = (points) => {
  let text = "", pen = "M";
  for (const [x, y] of points) {
    if (x === null) { pen = "M"; continue; }
    text += `${pen}${x} ${y}`;
    pen = "L";
  }
  return text;
};

export function planeView({ data, poses, colors, frames, changed }) {
  const svg = drawn("svg", { class: "drawing", role: "img", "aria-label": data.title });
  const grid = drawn("path", { class: "grid", "vector-effect": "non-scaling-stroke", fill: "none" });
  const coarse = drawn("path", { class: "grid coarse", "vector-effect": "non-scaling-stroke", fill: "none" });
  const world = drawn("g");
  const traces = drawn("g");
  const scale = drawn("path", { class: "scale", fill: "none" });
  const scaleText = drawn("text", { class: "scale-text", "text-anchor": "middle" });
  svg.append(world, scale, scaleText);
  world.append(grid, coarse);
  const parts = data.parts.map((part) => {
    const closed = part.fill ? "Z" : "";
    const made = drawn("path", {
      d: path(part.points) + closed,
      fill: "none",
      "stroke-linejoin": "round",
      "stroke-linecap": part.butt ? "butt" : "round",
      "vector-effect": "non-scaling-stroke",
      "data-shows": part.gid,
    });
    world.append(made);
    return { ...part, made, last: "" };
  });
  const pin = parts.find((part) => part.over); // paths lie on the bodies and under the pins
  world.insertBefore(traces, pin ? pin.made : null);
  const { low, high } = cloudOf(data, poses, frames);
  let zoom = 1, left = 0, top = 0, wide = 1, tall = 1, fitted = true;

  function fit() {
    const room = 5 * data.r;
    const spans = [0, 1].map((k) => high[k] - low[k] + 2 * room);
    zoom = Math.min(wide / spans[0], Math.max(tall - 40, 0.5 * tall) / spans[1]);
    left = 0.5 * wide - 0.5 * zoom * (low[0] + high[0]);
    top = 0.5 * tall + 0.5 * zoom * (low[1] + high[1]);
    fitted = true;
    place();
  }

  function place() {
    world.setAttribute("transform", `matrix(${zoom} 0 0 ${-zoom} ${left} ${top})`);
    const unit = data.unit.meters / data.size;
    const step = roundStep(84 / (zoom * unit)) * unit;
    const lines = (gap) => {
      const [x0, x1] = [-left / zoom, (wide - left) / zoom], [y0, y1] = [(top - tall) / zoom, top / zoom];
      const offset = data.center.map((c) => -c / data.size);
      let text = "";
      for (let k = Math.ceil((x0 - offset[0]) / gap); offset[0] + k * gap < x1; k++) text += `M${offset[0] + k * gap} ${y0}V${y1}`;
      for (let k = Math.ceil((y0 - offset[1]) / gap); offset[1] + k * gap < y1; k++) text += `M${x0} ${offset[1] + k * gap}H${x1}`;
      return text;
    };
    grid.setAttribute("d", lines(step / 2));
    coarse.setAttribute("d", lines(step));
    const length = zoom * step, x = wide - 22 - length, y = tall - 20;
    scale.setAttribute("d", `M${x} ${y - 5}v5h${length}v-5`);
    scaleText.setAttribute("x", x + 0.5 * length);
    scaleText.setAttribute("y", y - 9);
    scaleText.textContent = `${Number((step / unit).toPrecision(3))} ${data.unit.name}`;
    changed();
  }

  return {
    element: svg,
    presets: [["Fit", fit]],
    fit,
    resize(width, height) {
      [wide, tall] = [width, height];
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      if (fitted) fit();
      else place();
    },
    show(frame) {
      for (const part of parts) {
        const [x, y, c, s, k] = poses.row(part.owner, frame);
        const text = `matrix(${c * k} ${s * k} ${-s} ${c} ${x} ${y})`;
        if (text !== part.last) part.made.setAttribute("transform", (part.last = text));
      }
    },
    recolor(dimmed) {
      for (const part of parts) {
        const dim = dimmed(part.owner);
        part.made.setAttribute("fill", part.fill ? css(colors.tone(part.fill, dim)) : "none");
        if (part.edge) part.made.setAttribute("stroke", css(colors.tone(part.edge, dim)));
        part.made.setAttribute("stroke-width", 1.15 * part.width);
      }
    },
    trace(list) {
      traces.replaceChildren(
        ...list.flatMap(({ points, color }) =>
          [[colors.neutral("paper"), 3.8], [color, 1.8]].map(([stroke, width]) =>
            drawn("path", {
              d: path(points),
              fill: "none",
              stroke: css(stroke),
              "stroke-width": width,
              "stroke-linejoin": "round",
              "vector-effect": "non-scaling-stroke",
            }),
          ),
        ),
      );
    },
    project: ([x, y]) => [left + zoom * x, top - zoom * y],
    drag(dx, dy) {
      [left, top, fitted] = [left + dx, top + dy, false];
      place();
    },
    pan(dx, dy) {
      this.drag(dx, dy);
    },
    zoom(factor, x, y) {
      const f = Math.min(Math.max(zoom * factor, 20), 2e5) / zoom;
      [left, top, zoom, fitted] = [x + f * (left - x), y + f * (top - y), zoom * f, false];
      place();
    },
    reach: 1.5 * data.r,
    perUnit: () => zoom,
    picture: () => null,
  };
}
