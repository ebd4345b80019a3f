// Playing, the time bar, and the drawing of one frame after another while something moves.
import { css, element, short } from "./values.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

export function playerView({ data, colors, draw, times, worst, lost }) {
  const count = times.length, span = times[count - 1] - times[0];
  const state = { frame: 0, playing: false, loop: true, speed: 1, queued: false, clock: 0, last: 0 };
  const play = element("button", { class: "play", title: "Play or pause (space)", "aria-label": "Play", onclick: () => toggle() });
  const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  icon.setAttribute("viewBox", "0 0 16 16");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  icon.append(shape);
  play.append(icon);
  const digits = Math.min(6, Math.max(2, Math.ceil(-Math.log10((span || 1) / Math.max(count - 1, 1)))));
  const clock = element("output", { class: "clock" });
  const bar = element("canvas", { class: "bar", "aria-hidden": "true" });
  const slider = element("input", { type: "range", min: 0, max: count - 1, step: 1, value: 0, "aria-label": "Time", oninput: () => seek(Number(slider.value)) });
  const speed = element("select", { title: "Speed", "aria-label": "Speed", onchange: () => { state.speed = Number(speed.value); } },
    ...SPEEDS.map((value) => element("option", { value, text: `${value}\u00d7`, ...(value === 1 ? { selected: "" } : {}) })));
  const loop = element("button", { class: "toggle", title: "Repeat (L)", "aria-label": "Repeat", "aria-pressed": "true", text: "\u21bb", onclick: () => setLoop(!state.loop) });
  const least = data.least;
  const failures = lost.size ? `${lost.size === 1 ? "part" : "parts"} in red not solved` : "";
  const told = [least ? `least conditioning ${short(least.value, 2)}, group ${least.group}, ${short(least.time)} ${data.clock}` : "", failures].filter(Boolean).join(" \u00b7 ");
  const note = element("div", { class: "told", text: told });
  const track = element("div", { class: "track" }, bar, slider, note);

  function request() {
    if (state.queued) return;
    state.queued = true;
    requestAnimationFrame(tick);
  }

  function tick(now) {
    state.queued = false;
    if (state.playing) {
      state.clock += Math.min(0.25, (now - state.last) / 1000) * state.speed * data.pace;
      state.last = now;
      if (state.clock > span) {
        if (state.loop && span > 0) state.clock %= span;
        else {
          state.clock = span;
          setPlaying(false);
        }
      }
      state.frame = at(times[0] + state.clock);
    }
    slider.value = state.frame;
    clock.textContent = `${times[state.frame].toFixed(digits)} / ${times[count - 1].toFixed(digits)} ${data.clock}`;
    slider.setAttribute("aria-valuetext", `${times[state.frame].toFixed(digits)} ${data.clock}`);
    draw(state.frame, state.playing, now);
    if (state.playing) request();
  }

  function at(time) {
    let low = 0, high = count - 1;
    while (high - low > 1) {
      const half = (low + high) >> 1;
      if (times[half] <= time) low = half;
      else high = half;
    }
    return time - times[low] < times[high] - time ? low : high;
  }

  function seek(frame) {
    state.frame = Math.min(Math.max(Math.round(frame), 0), count - 1);
    state.clock = times[state.frame] - times[0];
    request();
  }

  function setPlaying(playing) {
    state.playing = playing && count > 1;
    shape.setAttribute("d", state.playing ? "M4 3h3v10H4zM9 3h3v10H9z" : "M5 2.5v11l8.5-5.5z");
    play.setAttribute("aria-label", state.playing ? "Pause" : "Play");
    document.body.classList.toggle("playing", state.playing);
    state.last = performance.now();
    request();
  }

  function toggle() {
    if (!state.playing && state.frame === count - 1) seek(0);
    setPlaying(!state.playing);
  }

  function setLoop(wanted) {
    state.loop = wanted;
    loop.setAttribute("aria-pressed", String(wanted));
  }

  function paint() {
    const sharp = Math.max(1, devicePixelRatio), wide = Math.round(bar.clientWidth * sharp), tall = Math.round(bar.clientHeight * sharp);
    if (!wide || !tall) return;
    [bar.width, bar.height] = [wide, tall];
    const pen = bar.getContext("2d");
    for (let x = 0; x < wide; x++) {
      const first = Math.floor((x / wide) * count), last = Math.max(first + 1, Math.floor(((x + 1) / wide) * count));
      let low = Infinity, failed = false;
      for (let k = first; k < last && k < count; k++) {
        if (lost.has(k)) failed = true;
        if (worst[k] > 0) low = Math.min(low, worst[k]);
      }
      pen.fillStyle = css(failed ? colors.failed() : colors.conditioning(low));
      pen.fillRect(x, 0, 1, tall);
      if (!failed) continue;
      pen.fillStyle = css(colors.neutral("paper"));
      const gap = Math.round(5 * sharp);
      for (let y = gap - (x % gap); y < tall; y += gap) pen.fillRect(x, y, 1, sharp);
    }
  }

  setPlaying(false);
  return {
    element: element("footer", {}, play, clock, track, speed, loop),
    state, request, seek, toggle, paint,
    setLoop: () => setLoop(!state.loop),
    faster(by) {
      const next = SPEEDS[Math.min(Math.max(SPEEDS.indexOf(state.speed) + by, 0), SPEEDS.length - 1)];
      state.speed = next;
      speed.value = next;
    },
  };
}
