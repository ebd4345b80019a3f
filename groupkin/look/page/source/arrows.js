// Forces as arrows over the drawing: of joints and of points, scaled and switched by the page.
import { drawn, numbers } from "./values.js";

const HEAD = [11, 4.5]; // length and half the width of a head, in pixels
const LEAST = 1.5; // pixels: what is shorter is no arrow

function outline([x, y], [u, v]) {
  const long = Math.hypot(u - x, v - y), [a, b] = [(u - x) / long, (v - y) / long];
  const [back, half] = HEAD, [p, q] = [u - back * a, v - back * b];
  const shaft = long > back ? `M${x} ${y}L${p} ${q}` : "";
  return `${shaft}M${u} ${v}L${p - half * b} ${q + half * a}L${p + half * b} ${q - half * a}Z`;
}

export function arrowsView({ data }) {
  const svg = drawn("svg", { class: "arrows", "aria-hidden": "true" });
  const d = data.dimension;
  const listed = data.forces.arrows.map((arrow) => {
    const [border, made] = ["border", arrow.kind].map((kind) => drawn("path", { class: `arrow ${kind}` }));
    made.setAttribute("data-force", arrow.name);
    svg.append(border, made);
    return { ...arrow, at: numbers(arrow.at), force: numbers(arrow.force), border, made };
  });
  return {
    element: svg,
    // shown: "all", "joint", "point" or "none"; factor: of their length
    show(frame, { shown, factor }, project) {
      for (const { kind, at, force, border, made } of listed) {
        const tail = Array.from(at.subarray(d * frame, d * (frame + 1)));
        const tip = tail.map((x, k) => x + factor * data.forces.longest * force[d * frame + k]);
        let text = "";
        if ((shown === "all" || shown === kind) && tip.every(Number.isFinite)) {
          const [from, to] = [project(tail), project(tip)];
          if (Math.hypot(to[0] - from[0], to[1] - from[1]) > LEAST) text = outline(from, to);
        }
        border.setAttribute("d", text);
        made.setAttribute("d", text);
      }
    },
  };
}
