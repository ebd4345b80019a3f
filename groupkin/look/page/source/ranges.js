// Ranges of joints and other quantities: where they are in them, and rings about joints that are at an end.
import { element, short } from "./values.js";

const MOST = 3; // names that the alarm lists

function told({ unit, ends: [low, high], values, states }, frame) {
  const now = `${short(values[frame])}${unit === "\u00b0" ? "" : " "}${unit}`.trim();
  if (states[frame] === -2) return `${now}, below ${short(low)}`;
  if (states[frame] === 2) return `${now}, above ${short(high)}`;
  if (states[frame]) return `${now}, at the ${states[frame] < 0 ? "lower" : "upper"} end`;
  const ends = [low === null ? "" : `from ${short(low)}`, high === null ? "" : `to ${short(high)}`];
  return `${now}, ${ends.filter(Boolean).join(" ")}`;
}

export function rangesView({ data, place }) {
  const rings = element("div", { class: "rings", "aria-hidden": "true" });
  const list = element("dl");
  const rows = data.ranges.map((range) => {
    const cell = element("dd"), ring = element("div", { class: "end" });
    list.append(element("dt", { text: range.name }), cell);
    for (const text of range.left) list.append(element("dd", { class: "left", text }));
    if (range.point !== null) rings.append(ring);
    return { ...range, cell, ring };
  });
  return {
    rings,
    element: element("section", { class: "ranges" }, element("h2", { text: "Ranges" }), list),
    // shows a frame, and says what is outside its range
    show(frame, seen) {
      for (const row of rows) {
        row.cell.textContent = told(row, frame);
        row.cell.classList.toggle("outside", Math.abs(row.states[frame]) === 2);
        row.ring.hidden = !seen || !row.states[frame];
        if (row.ring.hidden || row.point === null) continue;
        const [x, y] = place(row.point, frame);
        row.ring.style.transform = `translate(${x}px, ${y}px)`;
      }
      const names = rows.filter((row) => Math.abs(row.states[frame]) === 2).map((row) => row.name);
      if (!names.length) return "";
      const more = names.length > MOST ? ` and ${names.length - MOST} more` : "";
      return `${names.slice(0, MOST).join(", ")}${more} outside ${names.length > 1 ? "their ranges" : "its range"}`;
    },
  };
}
