// Numbers, colors and elements that all parts of the page share.

export function numbers(text, Kind = Float32Array) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
  return new Kind(bytes.buffer);
}

export function element(tag, settings = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(settings)) {
    if (key === "text") made.textContent = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export function drawn(tag, settings = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(settings)) {
    if (key === "text") made.textContent = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export const short = (value, digits = 4) => {
  if (!Number.isFinite(value)) return "\u2013";
  if (value !== 0 && (Math.abs(value) >= 1e5 || Math.abs(value) < 1e-4)) return value.toExponential(2);
  return String(Number(value.toPrecision(digits))).replace("-", "\u2212");
};

const parts = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
const mixed = (one, other, share) => one.map((x, k) => x + share * (other[k] - x));
export const css = (color) => `rgb(${color.map(Math.round).join(",")})`;

// sockets and pins are light on any paper
const SHELL = { light: "#E8E9EC", dark: "#C3CAD4" };
const DARK = { ink: "#EEF2F7", gray: "#98A2B0", frame: "#7C8694", paper: "#161B22" };
const DIMMED = 0.8;

export function makeColors(palette) {
  const neutral = {};
  const colors = {
    dark: false,
    setDark(dark) {
      colors.dark = dark;
      for (const key of ["ink", "gray", "frame", "paper"]) neutral[key] = parts(dark ? DARK[key] : palette[key]);
      neutral.shell = parts(dark ? SHELL.dark : SHELL.light);
    },
    // of a curve, which is thin: somewhat lighter on dark paper
    line: (number, dimmed = false) => {
      const color = number ? colors.group(number) : neutral.gray;
      const seen = mixed(color, neutral.ink, colors.dark ? 0.25 : 0);
      return dimmed ? mixed(seen, neutral.paper, DIMMED) : seen;
    },
    neutral: (name) => neutral[name],
    group: (number) => parts(palette.groups[(number - 1) % palette.groups.length]),
    // a tone is [number of a group or neutral name, share of paper]; what is dimmed is nearly paper, never translucent
    tone([base, share], dimmed = false) {
      const color = typeof base === "number" ? colors.group(base) : neutral[base];
      const seen = mixed(color, neutral.paper, share);
      return dimmed ? mixed(seen, neutral.paper, DIMMED) : seen;
    },
    // the worse a group is conditioned, the more it stands out
    conditioning(value) {
      const bad = Math.min(1, Math.max(0, -Math.log10(Math.max(value, 1e-9)) / 3));
      const [good, half, worst] = colors.dark
        ? [[40, 66, 98], [86, 142, 205], [214, 233, 255]]
        : [[200, 219, 240], [66, 118, 186], [24, 30, 92]];
      return bad < 0.5 ? mixed(good, half, 2 * bad) : mixed(half, worst, 2 * bad - 1);
    },
    failed: () => (colors.dark ? [255, 110, 100] : [205, 32, 32]),
  };
  colors.setDark(false);
  return colors;
}

// Poses of what moves: rows of seven numbers in space, of four in the plane, and the stretch of what is stretched.
export function makePoses(data) {
  const width = data.dimension === 3 ? 7 : 4;
  const rows = data.poses.map((text) => numbers(text));
  const widths = data.owners.map((owner) => width + (owner.stretched ? 1 : 0));
  const start = (owner, frame) => (rows[owner].length === widths[owner] ? 0 : frame * widths[owner]);
  const stretch = (owner, from) => (widths[owner] > width ? rows[owner][from + width] : 1);
  return {
    row(owner, frame) {
      const from = start(owner, frame);
      return [...rows[owner].subarray(from, from + width), stretch(owner, from)];
    },
    place(owner, frame, at) {
      const row = rows[owner], k = start(owner, frame), x = at[0] * stretch(owner, k);
      if (width === 4) {
        const y = at[1], c = row[k + 2], s = row[k + 3];
        return [row[k] + c * x - s * y, row[k + 1] + s * x + c * y];
      }
      const [, y, z] = at, qx = row[k + 3], qy = row[k + 4], qz = row[k + 5], w = row[k + 6];
      const a = 2 * (qy * z - qz * y), b = 2 * (qz * x - qx * z), c = 2 * (qx * y - qy * x);
      return [
        row[k] + x + w * a + qy * c - qz * b,
        row[k + 1] + y + w * b + qz * a - qx * c,
        row[k + 2] + z + w * c + qx * b - qy * a,
      ];
    },
    // rotation and position in meters, by rows, of a body's own coordinates
    matrix(owner, frame) {
      const d = data.dimension, columns = [];
      const zero = this.place(owner, frame, d === 3 ? [0, 0, 0] : [0, 0]);
      for (let k = 0; k < d; k++) {
        const unit = [0, 0, 0].slice(0, d);
        unit[k] = 1;
        columns.push(this.place(owner, frame, unit).map((x, j) => x - zero[j]));
      }
      const origin = data.owners[owner].origin;
      return zero.map((x, j) => {
        const turn = columns.map((column) => column[j]);
        const shift = x * data.size + data.center[j] - turn.reduce((sum, value, k) => sum + value * origin[k], 0);
        return [...turn, shift];
      });
    },
  };
}

// Places of all shapes during a motion, and the box around them.
export function cloudOf(data, poses, frames) {
  const cloud = [], step = Math.max(1, Math.ceil(frames / 32));
  for (const part of data.parts) {
    const all = part.points || part.ends || (part.outline ? cornersOf(part) : [part.at]);
    const spots = all.filter((at, k) => at[0] !== null && (all.length < 12 || k % Math.ceil(all.length / 12) === 0));
    for (let frame = 0; frame < frames; frame += step) for (const at of spots) cloud.push(poses.place(part.owner, frame, at));
  }
  const ends = (pick) => data.box[0].map((_, k) => cloud.reduce((end, at) => pick(end, at[k]), data.box[pick === Math.min ? 0 : 1][k]));
  return { cloud, low: ends(Math.min), high: ends(Math.max) };
}

const cornersOf = ({ middle, axes, outline }) => outline.map(([x, y]) => middle.map((at, k) => at + x * axes[0][k] + y * axes[1][k]));

// Round numbers for grids and scales: 1, 2 or 5 times a power of ten.
export function roundStep(about) {
  const power = 10 ** Math.floor(Math.log10(about));
  return [1, 2, 5, 10].map((k) => k * power).find((step) => step >= 0.999 * about);
}
