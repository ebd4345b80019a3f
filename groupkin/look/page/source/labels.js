// Names beside points, where there is room.
import { element } from "./values.js";

const WAYS = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1]];

export function labelsView() {
  const holder = element("div", { class: "labels", "aria-hidden": "true" });
  const measure = document.createElement("canvas").getContext("2d");
  measure.font = "500 12px system-ui, sans-serif";
  let labels = [];
  return {
    element: holder,
    set(texts) {
      holder.replaceChildren();
      labels = texts.map(({ text, ...more }) => {
        const made = element("span", { class: "name", text });
        holder.append(made);
        return { ...more, text, made, wide: Math.min(measure.measureText(text).width + 12, 220) };
      });
    },
    // places: of every label, in pixels; reach: how far from there it begins
    show(places, reach, width, height) {
      const taken = [];
      labels.forEach(({ made, wide }, k) => {
        const [x, y] = places[k], half = [0.5 * wide, 9];
        const free = ([a, b]) =>
          a - half[0] >= 0 && a + half[0] <= width && b - half[1] >= 0 && b + half[1] <= height &&
          taken.every(([c, d, w]) => Math.abs(a - c) >= half[0] + w || Math.abs(b - d) >= 18);
        const middles = WAYS.map(([i, j]) => [x + i * (reach + half[0]), y + j * (reach + half[1])]);
        const best = middles.find(free);
        made.style.visibility = best ? "" : "hidden";
        if (!best) return;
        taken.push([best[0], best[1], half[0]]);
        made.style.transform = `translate(${(best[0] - half[0]).toFixed(1)}px, ${(best[1] - half[1]).toFixed(1)}px)`;
      });
    },
  };
}
