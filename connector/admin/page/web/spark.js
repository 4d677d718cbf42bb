
// Curves: a line over an area, from 0 to the highest value shown.

const svgNames = "http://www.w3.org/2000/svg", sparkWidth = 120, sparkHeight = 24;

function makeSpark(svg) {
  svg.setAttribute("viewBox", `0 0 ${sparkWidth} ${sparkHeight}`);
  svg.setAttribute("preserveAspectRatio", "none");
  for (const part of ["area", "line"]) {
    const path = document.createElementNS(svgNames, "path");
    path.setAttribute("class", part);
    svg.append(path);
  }
  return svg;
}

// Values that are not known, and times without samples, are gaps.
function runsOf(values) {
  const runs = [];
  let last = -Infinity;
  values.forEach((v, i) => {
    if (v < 0) { last = -Infinity; return; }
    if (past.at[i] - last > 10_000) runs.push([]);
    runs[runs.length - 1].push(i);
    last = past.at[i];
  });
  return runs;
}

function drawSpark(svg, values, what) {
  const to = past.at[past.at.length - 1], shown = shownSpan(), high = Math.max(...values, 0);
  const x = i => (sparkWidth * (1 - (to - past.at[i]) / shown)).toFixed(1);
  const y = i => (sparkHeight - 1 - (high ? values[i] / high : 0) * (sparkHeight - 2)).toFixed(1);
  let line = "", area = "";
  for (const run of runsOf(values)) {
    const points = run.map(i => x(i) + " " + y(i)).join("L");
    line += "M" + points;
    area += `M${x(run[0])} ${sparkHeight}L${points}L${x(run[run.length - 1])} ${sparkHeight}Z`;
  }
  svg.children[0].setAttribute("d", area);
  svg.children[1].setAttribute("d", line);
  svg.setAttribute("aria-label", `${what} over ${span(shown / 1000)}: highest ${rate(high)}`);
}
