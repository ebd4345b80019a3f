// Curves over time, with the current time as a line that is moved, so that nothing is drawn again while it plays.
import uPlot from "uplot";
import { css, element, short } from "./values.js";

const DASHES = [[], [7, 4], [1.5, 4], [10, 3, 2, 3]];

export function plotsView({ colors, times, seek }) {
  const holder = element("div", { class: "plots" });
  let made = [];

  function build(plots, width) {
    for (const { chart } of made) chart.destroy();
    holder.replaceChildren();
    const tone = (t) => css(colors.tone(t));
    made = plots.map((plot) => {
      const stroke = css(colors.line(plot.color));
      const values = plot.series.map(() => element("output"));
      const legend = plot.series.map((series, k) => {
        const mark = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        mark.setAttribute("class", "mark");
        const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
        line.setAttribute("d", "M1 4H21");
        line.setAttribute("stroke", stroke);
        line.setAttribute("stroke-width", 2);
        line.setAttribute("stroke-dasharray", DASHES[k % DASHES.length].join(" "));
        mark.append(line);
        const label = plot.series.length > 1 ? [mark, element("span", { text: series.label })] : series.label ? [element("span", { text: series.label })] : [];
        return element("span", { class: "entry" }, ...label, values[k]);
      });
      const unit = plot.unit ? ` (${plot.unit})` : "";
      const figure = element("figure", {}, element("figcaption", {}, element("b", { text: plot.title + unit }), ...legend));
      holder.append(figure);
      const axis = {
        stroke: tone(["gray", 0]), font: "11px system-ui, sans-serif", labelFont: "11px system-ui, sans-serif",
        grid: { stroke: tone(["gray", 0.82]), width: 1 }, ticks: { show: false }, gap: 4,
        values: (_, splits) => splits.map((value) => short(value, 6)),
      };
      const chart = new uPlot(
        {
          width, height: 132, pxAlign: 0, legend: { show: false }, padding: [6, 10, 0, 0],
          cursor: { show: false }, select: { show: false },
          scales: { x: { time: false }, y: { range: (_, low, high) => span(low, high) } },
          axes: [{ ...axis, size: 22 }, { ...axis, size: 50, space: 20 }],
          series: [{}, ...plot.series.map((_, k) => ({ stroke, width: 1.8, pxAlign: 0, dash: DASHES[k % DASHES.length], points: { show: false } }))],
        },
        [times, ...plot.series.map((series) => series.values)],
        figure,
      );
      const now = element("div", { class: "now" });
      const dots = plot.series.map(() => element("div", { class: "dot" }));
      for (const dot of dots) dot.style.background = stroke;
      chart.over.append(now, ...dots);
      const follow = (event) => {
        if (event.buttons & 1) seek(chart.posToIdx(event.clientX - chart.over.getBoundingClientRect().left));
      };
      chart.over.addEventListener("pointerdown", (event) => {
        chart.over.setPointerCapture(event.pointerId);
        follow(event);
      });
      chart.over.addEventListener("pointermove", follow);
      return { chart, now, dots, values, plot };
    });
  }

  return {
    element: holder,
    build,
    show(frame) {
      for (const { chart, now, dots, values, plot } of made) {
        const x = chart.valToPos(times[frame], "x");
        now.style.transform = `translateX(${x}px)`;
        plot.series.forEach((series, k) => {
          const value = series.values[frame], seen = Number.isFinite(value);
          values[k].textContent = short(value);
          dots[k].style.display = seen ? "" : "none";
          if (seen) dots[k].style.transform = `translate(${x}px, ${chart.valToPos(value, "y")}px)`;
        });
      }
    },
  };
}

// a little room around the curves; what is constant but for roundings is a straight line
function span(low, high) {
  if (low === null || high === null) return [-1, 1];
  const least = 1e-6 * Math.max(Math.abs(low), Math.abs(high)) || 1;
  const room = high - low > least ? 0.06 * (high - low) : Math.max(0.1 * Math.abs(high), least);
  return [low - room, high + room];
}
