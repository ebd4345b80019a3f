// The page: reads its data, puts the parts together, and redraws on demand.
import { arrowsView } from "./arrows.js";
import { labelsView } from "./labels.js";
import { planeView } from "./plane.js";
import { playerView } from "./player.js";
import { plotsView } from "./plots.js";
import { rangesView } from "./ranges.js";
import { bodiesView, numbersView, structureView } from "./structure.js";
import { element, makeColors, makePoses, numbers } from "./values.js";

const NEAR = 16; // pixels from a point within which it is picked
const data = JSON.parse(document.getElementById("data").textContent);
const times = (data.times = numbers(data.times, Float64Array));
const conditioning = data.conditioning.map((text) => numbers(text));
const missing = new Set(data.missing), lost = new Set(data.lost), failed = new Set(data.failed);
for (const plot of data.plots) for (const series of plot.series) series.values = numbers(series.values);
for (const range of data.ranges) [range.values, range.states] = [numbers(range.values), numbers(range.states, Int8Array)];
const poses = makePoses(data), colors = makeColors(data.palette);
const groupOf = (owner) => data.owners[owner].group;
const colorOf = (owner) => data.owners[owner].color;
const chosen = new Set(data.points.flatMap((point, k) => (point.traced ? [k] : [])));
let hovered = 0, pinned = 0, named = data.named, near = -1, view = null, size = [1, 1];

function hasWebGL() {
  const canvas = document.createElement("canvas");
  try {
    return Boolean(canvas.getContext("webgl2"));
  } catch {
    return false;
  }
}

const stage = element("div", { class: "stage", tabindex: -1 });
const tools = element("div", { class: "tools", role: "toolbar", "aria-label": "View" });
const alarm = element("div", { class: "alarm", role: "status" });
const ring = element("div", { class: "ring" });
const labels = labelsView();
const arrows = data.forces && arrowsView({ data });
const pushing = { shown: "all", factor: 1 };
const dark = element("button", { class: "toggle dark", title: "Light or dark (D)", "aria-label": "Light or dark", text: "\u25d0", onclick: () => setDark(!colors.dark) });
const structure = structureView({ data, colors, hover: (k) => select(k, pinned), choose: (k) => select(hovered, k === pinned ? 0 : k) });
const bodies = bodiesView({ data, colors });
const figures = numbersView({ data, conditioning });
const ranges = rangesView({ data, place: (k, frame) => view.project(poses.place(data.points[k].owner, frame, data.points[k].at)) });
const player = playerView({ data, colors, draw, times, worst: numbers(data.worst), lost });
const plots = plotsView({ colors, times, seek: player.seek });
const picture = element("img", { class: "printed", alt: "" });

function selected() {
  return (player.state.playing ? 0 : hovered) || pinned;
}

function select(hover, pin) {
  [hovered, pinned] = [hover, pin];
  recolor();
}

function recolor() {
  const group = selected(), dimmed = (owner) => group > 0 && groupOf(owner) !== group;
  if (view) {
    view.recolor(dimmed);
    traceChosen();
  }
  bodies.recolor(dimmed);
  structure.recolor(group, pinned);
  player.request();
}

// --- points ------------------------------------------------------------------------------------

function path(point) {
  const none = [null, null, null];
  return Array.from(times, (_, k) => (missing.has(k) ? none : poses.place(point.owner, k, point.at)));
}

function traceChosen() {
  const group = selected();
  view.trace([...chosen].map((k) => {
    const point = data.points[k], number = groupOf(point.owner);
    return { points: path(point), color: colors.line(colorOf(point.owner), group > 0 && number !== group) };
  }));
}

function toggleTrace(k) {
  if (!chosen.delete(k)) chosen.add(k);
  points.querySelectorAll("input")[k].checked = chosen.has(k);
  if (view) traceChosen();
  setLabels();
  buildPlots();
  player.request();
}

// the curves of a point that the page itself can read
function curvesOf(point) {
  const unit = data.unit.meters, places = path(point);
  const series = ["x", "y", "z"].slice(0, data.dimension).map((label, j) => ({
    label,
    values: Float64Array.from(places, (at) => (at[j] === null ? NaN : (at[j] * data.size + data.center[j]) / unit)),
  }));
  return { title: `position ${point.name}`, unit: data.unit.name, color: colorOf(point.owner), series };
}

function buildPlots() {
  const picked = [...chosen].filter((k) => !data.points[k].traced && groupOf(data.points[k].owner)).map((k) => curvesOf(data.points[k]));
  const width = Math.max(200, aside.clientWidth - 32 - (aside.offsetWidth - aside.clientWidth ? 0 : 4));
  plots.build([...picked.reverse(), ...data.plots], width);
  plots.show(player.state.frame);
}

const listed = () => named === "bodies" ? data.bodies : data.points.map((point, k) => ({ ...point, k })).filter(({ k, kind }) => chosen.has(k) || named === "all" || (named === "joints" && kind === "joint"));

function setLabels() {
  labels.set(named === "none" ? [] : listed().map((point) => ({ text: point.name, point })));
}

function showLabels(frame) {
  if (named === "none" || !view) return;
  const places = listed().map((point) => view.project(poses.place(point.owner, frame, point.at)));
  labels.show(places, Math.max(9, view.reach * view.perUnit()), ...size);
}

// --- drawing -----------------------------------------------------------------------------------

function draw(frame, moving, now) {
  if (view) {
    view.show(frame, moving, now);
    if (arrows) arrows.show(frame, missing.has(frame) ? { shown: "none" } : pushing, view.project);
    showLabels(frame);
    if (near >= 0) {
      const [x, y] = view.project(poses.place(data.points[near].owner, frame, data.points[near].at));
      ring.style.transform = `translate(${x}px, ${y}px)`;
    }
  }
  const outside = ranges.show(frame, view && !missing.has(frame));
  alarm.textContent = failed.has(frame) ? (missing.has(frame) ? "Not solved at this time; the position is that of another" : "Singular position") : outside;
  figures.show(selected(), frame);
  plots.show(frame);
  document.body.dataset.frame = frame;
}

function resized() {
  if (!stage.clientWidth || !stage.clientHeight) return; // not seen, as in a cell of a notebook that is out of view
  size = [stage.clientWidth, stage.clientHeight];
  if (view) view.resize(...size);
  player.paint();
  player.request();
}

function setDark(wanted) {
  colors.setDark(wanted);
  document.documentElement.dataset.theme = wanted ? "dark" : "light";
  buildPlots();
  player.paint();
  recolor();
}

// --- pointers and keys -------------------------------------------------------------------------

function pickable(x, y) {
  let best = -1, least = NEAR;
  data.points.forEach((point, k) => {
    const [px, py] = view.project(poses.place(point.owner, player.state.frame, point.at));
    const far = Math.hypot(px - x, py - y);
    if (far < least) [best, least] = [k, far];
  });
  return best;
}

function setNear(k) {
  if (k === near) return;
  near = k;
  ring.classList.toggle("seen", k >= 0);
  stage.classList.toggle("picking", k >= 0);
  stage.title = k >= 0 ? `${data.points[k].name}: click to ${chosen.has(k) ? "stop tracing" : "trace"}` : "";
  player.request();
}

function listen() {
  const fingers = new Map();
  let travelled = 0, apart = 0;
  const local = (event) => {
    const box = stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  stage.addEventListener("pointerdown", (event) => {
    if (event.target.closest(".tools")) return;
    stage.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, local(event));
    travelled = apart = 0;
  });
  stage.addEventListener("pointermove", (event) => {
    const now = local(event), before = fingers.get(event.pointerId);
    if (!before) {
      if (!player.state.playing && event.pointerType === "mouse") setNear(pickable(...now));
      return;
    }
    fingers.set(event.pointerId, now);
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    travelled += Math.abs(dx) + Math.abs(dy);
    if (travelled < 4) return;
    if (fingers.size > 1) {
      const [one, two] = [...fingers.values()], gap = Math.hypot(one[0] - two[0], one[1] - two[1]);
      if (apart) view.zoom(gap / apart, 0.5 * (one[0] + two[0]), 0.5 * (one[1] + two[1]));
      apart = gap;
      view.pan(0.5 * dx, 0.5 * dy);
    } else if (event.shiftKey || event.buttons & 6) view.pan(dx, dy);
    else view.drag(dx, dy);
  });
  const lift = (event) => {
    const began = fingers.delete(event.pointerId);
    if (began && event.type === "pointerup" && travelled < 4) {
      const k = pickable(...local(event));
      if (k >= 0) toggleTrace(k);
    }
  };
  stage.addEventListener("pointerup", lift);
  stage.addEventListener("pointercancel", lift);
  stage.addEventListener("pointerleave", () => setNear(-1));
  stage.addEventListener("contextmenu", (event) => event.preventDefault());
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    view.zoom(Math.exp(-0.0012 * event.deltaY), ...local(event));
  }, { passive: false });
}

const KEYS = {
  " ": player.toggle,
  ArrowLeft: (event) => player.seek(player.state.frame - (event.shiftKey ? 10 : 1)),
  ArrowRight: (event) => player.seek(player.state.frame + (event.shiftKey ? 10 : 1)),
  Home: () => player.seek(0),
  End: () => player.seek(times.length - 1),
  "+": () => player.faster(1),
  "-": () => player.faster(-1),
  l: player.setLoop,
  d: () => setDark(!colors.dark),
  f: () => view && view.fit(),
  Escape: () => select(0, 0),
};

document.addEventListener("keydown", (event) => {
  const busy = event.target.closest("select, button, summary, input:not([type=range])");
  if (event.ctrlKey || event.metaKey || event.altKey || (busy && event.key !== "Escape")) return;
  const views = view && view.presets[Number(event.key) - 1];
  const act = views ? views[1] : KEYS[event.key] || KEYS[event.key.toLowerCase()];
  if (!act) return;
  event.preventDefault();
  act(event);
});

// --- page --------------------------------------------------------------------------------------

const points = element("div", { class: "points" }, ...data.points.map((point, k) => {
  const box = element("input", { type: "checkbox", onchange: () => toggleTrace(k) });
  box.checked = chosen.has(k);
  return element("label", {}, box, element("span", { text: point.name }));
}));
const aside = element("aside", {},
  element("section", { class: "structure" }, element("h2", { text: "Structure" }), element("div", { class: "scroll" }, structure.element),
    element("p", { class: "caption", text: "Groups: number, (bodies, driven freedoms), type" })),
  ...(data.colors === "bodies" ? [bodies.element] : []),
  figures.element,
  ...(data.ranges.length ? [ranges.element] : []),
  element("section", { class: "curves" }, element("h2", { text: "Motion" }), plots.element),
  element("section", {}, element("details", {}, element("summary", { text: "Traced points" }), points)));
const title = element("header", {}, element("h1", { text: data.title }), element("p", { text: [data.summary, data.note].filter(Boolean).join(" \u00b7 ") }), dark);
if (arrows) stage.append(arrows.element);
stage.append(ranges.rings, labels.element, ring, alarm, tools, picture);
document.getElementById("page").append(title, stage, aside, player.element);

const menu = (label, choice, act) => element("select", { "aria-label": label, onchange: (event) => { act(event.target.value); player.request(); } },
  ...choice.map(([value, text]) => element("option", { value, text })));

function offerForces() {
  const kinds = [["all", "Forces: all"], ["joint", "Forces: in joints"], ["point", "Forces: on points"], ["none", "Forces: none"]];
  const present = new Set(data.forces.arrows.map((arrow) => arrow.kind));
  const lengths = [[1, "Arrows \u00d7 1"], [2, "Arrows \u00d7 2"], [5, "Arrows \u00d7 5"], [20, "Arrows \u00d7 20"], [0.5, "Arrows \u00d7 \u00bd"]];
  const note = element("p", { class: "forces" });
  for (const [kind, text] of [["joint", "in joints, on their second bodies"], ["point", "on points"]])
    if (present.has(kind)) note.append(element("span", { class: kind, text }));
  note.append(data.forces.scale);
  tools.append(menu("Forces", kinds.filter(([kind]) => present.size > 1 || !["joint", "point"].includes(kind)), (value) => {
    pushing.shown = value;
    note.hidden = value === "none";
  }), menu("Length of arrows", lengths, (value) => { pushing.factor = Number(value); }));
  stage.append(note);
}

async function start() {
  const wanted = { data, poses, colors, frames: times.length, changed: player.request };
  if (data.dimension === 2) view = planeView(wanted);
  else if (hasWebGL()) view = (await import("./space.js")).spaceView(wanted);
  if (view) {
    stage.prepend(view.element);
    tools.append(...view.presets.map(([text, act], k) => element("button", { text, title: `${text} (${k + 1})`, onclick: () => { act(); } })));
    const choice = [["traced", "Names: traced points"], ["joints", "Names: joints"], ["bodies", "Names: bodies"], ["all", "Names: all"], ["none", "Names: none"]];
    const offered = menu("Names", choice, (value) => { named = value; setLabels(); });
    offered.value = named;
    tools.append(offered);
    if (arrows) offerForces();
    listen();
  } else {
    stage.append(element("p", { class: "without", text: "This browser offers no WebGL, which mechanisms in space are drawn with. Structure and plots are shown." }));
  }
  setLabels();
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", () => setDark(system.matches));
  setDark(system.matches);
  new ResizeObserver(resized).observe(stage);
  let wide = aside.clientWidth;
  new ResizeObserver(() => { if (aside.clientWidth !== wide) { wide = aside.clientWidth; buildPlots(); } }).observe(aside);
  resized();
  let before = false;
  addEventListener("beforeprint", () => {
    before = colors.dark;
    setDark(false);
    draw(player.state.frame, false, performance.now());
    const shot = view && view.picture(player.state.frame);
    if (shot) picture.src = shot;
    document.body.classList.toggle("pictured", Boolean(shot));
  });
  addEventListener("afterprint", () => setDark(before));
  document.body.dataset.ready = "yes";
}

window.groupkin = {
  bodies: () => data.owners.map((owner) => owner.key),
  matrix: (key) => poses.matrix(data.owners.findIndex((owner) => owner.key === key), player.state.frame),
  seek: player.seek,
  frame: () => player.state.frame,
};
start();
