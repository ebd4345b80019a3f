// The structural diagram, and the numbers of a group.
import { css, drawn, element, short } from "./values.js";

const SCALE = 60; // pixels between layers

export function structureView({ data, colors, hover, choose }) {
  const { diagram } = data;
  const [x, y, w, h] = diagram.box;
  const svg = drawn("svg", { class: "diagram", viewBox: `${x * SCALE} ${y * SCALE} ${w * SCALE} ${h * SCALE}`, role: "group", "aria-label": "Structural diagram" });
  svg.style.width = `${w * SCALE}px`;
  const line = (points) => "M" + points.map(([a, b]) => `${(a * SCALE).toFixed(1)} ${(b * SCALE).toFixed(1)}`).join("L");
  const arrows = diagram.arrows.map((arrow) => {
    const made = [drawn("path", { d: line(arrow.line), fill: "none" }), drawn("path", { d: line(arrow.head) + "Z" })];
    const holder = drawn("g", { class: "arrow", "data-shows": `arrow ${arrow.ends.join("-")}` }, ...made);
    svg.append(holder);
    return { holder, made, ends: arrow.ends };
  });
  const circle = (at, settings) => drawn("circle", { cx: at[0] * SCALE, cy: at[1] * SCALE, r: diagram.radius * SCALE, "stroke-width": 2, ...settings });
  const text = (at, dy, content, name) => drawn("text", { x: at[0] * SCALE, y: at[1] * SCALE + dy, class: name, "text-anchor": "middle", text: content });
  const [fx, fy] = diagram.frame.at.map((x) => x * SCALE), half = Math.max(20, 2.8 * diagram.frame.name.length + 7);
  const ground = drawn("rect", { x: fx - half, y: fy - 12, width: 2 * half, height: 24, "stroke-width": 2 });
  const hatch = Array.from({ length: Math.floor(half / 4) + 1 }, (_, k) => `M${fx - half + 8 * k - 2} ${fy - 13}l5 -6`).join("");
  const earth = drawn("path", { d: `M${fx - half - 4} ${fy - 12}H${fx + half + 4}${hatch}`, fill: "none", "stroke-width": 1.3 });
  svg.append(ground, earth, text(diagram.frame.at, 3, diagram.frame.name, "name-of-frame"));
  const nodes = data.groups.map((group) => {
    const at = diagram.places[group.number];
    const disk = circle(at, {});
    const node = drawn("g", { class: "group", tabindex: 0, role: "button", "aria-pressed": "false", "aria-label": `Group ${group.number}, ${group.label}: ${group.bodies.join(", ")}`, "data-group": group.number });
    const counts = text(at, 11, `(${group.bodies.length}, ${group.driven})`, "counts");
    node.append(disk, text(at, 0, group.number, "number"), counts, text(diagram.labels[group.number], 3, group.label, "label halo"));
    node.addEventListener("pointerenter", () => hover(group.number));
    node.addEventListener("pointerleave", () => hover(0));
    node.addEventListener("focus", () => node.matches(":focus-visible") && hover(group.number));
    node.addEventListener("blur", () => hover(0));
    node.addEventListener("click", () => choose(group.number));
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      choose(group.number);
    });
    svg.append(node);
    return { node, disk, number: group.number };
  });
  return {
    element: svg,
    recolor(selected, pinned) {
      const tone = (...args) => css(colors.tone(...args));
      for (const { node, disk, number } of nodes) {
        const dim = selected > 0 && number !== selected;
        const base = data.colors === "bodies" ? "gray" : number; // colors mean one thing at a time
        disk.setAttribute("fill", tone([base, colors.dark ? 0.78 : 0.85], dim));
        disk.setAttribute("stroke", tone([base, 0], dim));
        disk.setAttribute("stroke-width", number === selected ? 3.2 : 2);
        node.classList.toggle("dim", dim);
        node.setAttribute("aria-pressed", String(number === pinned));
      }
      ground.setAttribute("fill", tone(["paper", 0]));
      for (const part of [ground, earth]) part.setAttribute("stroke", tone(["frame", 0], selected > 0));
      for (const { made, ends } of arrows) {
        const color = tone(["gray", 0.2], selected > 0 && !ends.includes(selected));
        made[0].setAttribute("stroke", color);
        made[1].setAttribute("fill", color);
      }
    },
  };
}

// Which color is which body.
export function bodiesView({ data, colors }) {
  const entries = data.bodies.map(({ name, owner }) => {
    const square = element("span", { class: "square" });
    return { square, owner, made: element("span", { class: "body" }, square, element("span", { text: name })) };
  });
  return {
    element: element("section", { class: "bodies" }, element("h2", { text: "Bodies" }), element("div", {}, ...entries.map(({ made }) => made))),
    recolor(dimmed) {
      for (const { square, owner } of entries) square.style.background = css(colors.tone([data.owners[owner].color, 0], dimmed(owner)));
    },
  };
}

// Rows of names and numbers: of the whole mechanism, or of a group.
export function numbersView({ data, conditioning }) {
  const title = element("h2"), list = element("dl");
  let shown = null, cells = {};
  function fill(entries) {
    cells = {};
    list.replaceChildren();
    for (const [key, value] of entries) {
      cells[key] = element("dd", { text: value });
      list.append(element("dt", { text: key }), cells[key]);
    }
  }
  return {
    element: element("section", { class: "numbers", "aria-live": "off" }, title, list),
    show(selected, frame) {
      if (selected !== shown) {
        shown = selected;
        const group = data.groups[selected - 1];
        title.textContent = group ? `Group ${group.number}` : "Whole mechanism";
        const after = group && (group.after.length ? group.after.join(", ") : "the frame only");
        fill(
          group
            ? [["Type", group.label], ["Bodies", group.bodies.join(", ")], ["Joints", group.joints.join(", ")], ["Level", `${group.level}, after ${after}`], ["Driven", `${group.driven} freedom${group.driven === 1 ? "" : "s"}`], ...(group.solver ? [["Solver", group.solver]] : []), ["Conditioning", ""]]
            : [["Conditioning", ""], ["Time", ""]],
        );
      }
      if (selected) cells.Conditioning.textContent = `${short(conditioning[selected - 1][frame], 3)} now, 1 at best`;
      else {
        let worst = Infinity, number = 0;
        conditioning.forEach((row, k) => { if (row[frame] < worst) [worst, number] = [row[frame], k + 1]; });
        cells.Conditioning.textContent = number ? `${short(worst, 3)} now, group ${number}` : "not solved at this time";
        const n = data.times.length;
        const span = `${short(data.times[0])} to ${short(data.times[n - 1])} ${data.clock}`;
        cells.Time.textContent = `${span}, ${data.steps} step${data.steps === 1 ? "" : "s"}`;
      }
    },
  };
}
