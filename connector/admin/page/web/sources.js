
// The table of sources: what needs a look first, then by lag.

const rowsAtMost = 1000, sortEvery = 10_000; // milliseconds: rows that move about can't be read
const sourceRows = new Map(); // by keyOf
let sortedAt = 0, sortedBy = "", snapshot = null;

const inView = new IntersectionObserver(entries => {
  for (const e of entries) {
    const row = sourceRows.get(e.target.dataset.key);
    if (row) { row.inView = e.isIntersecting; drawLag(row); }
  }
});

function cell(className, label, ...children) {
  const td = make("td", className, ...children);
  td.setAttribute("role", "cell");
  if (label) td.dataset.label = label;
  return td;
}

function makeRow(source) {
  const row = {key: keyOf(source), inView: false, topic: make("span", "topic", source.topic), error: cell("error", "")};
  row.sign = make("span", "sign");
  row.sign.ariaHidden = "true";
  row.state = make("span");
  row.look = make("span", "state", row.sign, row.state);
  row.spark = makeSpark(document.createElementNS(svgNames, "svg"));
  row.spark.setAttribute("class", "spark");
  row.spark.setAttribute("role", "img");
  row.spark.setAttribute("aria-label", "Lag in records");
  row.figures = {
    lag: cell("c-lag n", "Lag"), age: cell("c-age n", "Behind by"), rate: cell("c-rate n", "Rate"),
    checkpoint: cell("c-offset n", "Checkpoint"), end: cell("c-offset n", "End"), epoch: cell("c-epoch n", "Epoch"),
  };
  const f = row.figures;
  row.tr = make("tr", "",
    cell("c-source", "", row.topic, make("span", "partition", " / " + source.partition)),
    cell("c-state", "", row.look),
    f.lag, f.age, cell("c-spark", "", row.spark), f.rate, f.checkpoint, f.end, f.epoch, row.error);
  row.tr.setAttribute("role", "row");
  row.tr.dataset.key = row.key;
  inView.observe(row.tr);
  return row;
}

function fillRow(row, source, s) {
  const rank = rankOf(source, s), stalled = rank === 0 && !source.error && source.state === "running";
  row.source = source;
  row.rank = rank;
  row.tr.dataset.rank = row.look.dataset.rank = rank;
  put(row.sign, ranks[rank].sign);
  put(row.state, stalled ? "stalled" : source.paused && rank === 1 ? "paused" : source.state);
  put(row.error, source.error || (stalled ? "the checkpoint has not moved for " + span(Math.round(stalledFor(source, s))) : ""));
  put(row.figures.lag, short(source.lag_records));
  put(row.figures.age, span(source.lag_seconds));
  put(row.figures.rate, rate(source.records_rate) + " /s");
  put(row.figures.checkpoint, count(source.checkpoint));
  put(row.figures.end, count(source.end));
  put(row.figures.epoch, count(source.epoch));
  row.text = `${source.topic}/${source.partition} ${row.state.textContent} ${row.error.textContent}`.toLowerCase();
  drawLag(row);
}

function drawLag(row) {
  const values = past.lag.get(row.key);
  if (row.inView && values) drawSpark(row.spark, values, "Lag in records");
}

function showSources(s) {
  snapshot = s;
  const seen = new Set();
  for (const source of s.sources) {
    const key = keyOf(source);
    seen.add(key);
    if (!sourceRows.has(key)) sourceRows.set(key, makeRow(source));
    fillRow(sourceRows.get(key), source, s);
  }
  for (const [key, row] of sourceRows) {
    if (seen.has(key)) continue;
    inView.unobserve(row.tr);
    row.tr.remove();
    sourceRows.delete(key);
  }
  put(byID("spark-title"), "Lag, last " + span(Math.floor(shownSpan() / 60_000) * 60));
  orderSources();
}

// Puts the rows in order when one needs a look, or no longer does, and else now and then, while nobody points at them.
function orderSources(now = false) {
  const words = byID("filter").value.toLowerCase().split(/\s+/).filter(Boolean), only = byID("only").checked;
  const by = [...sourceRows].map(([key, row]) => key + row.rank).join();
  const held = byID("source-rows").matches(":hover") || byID("sources").querySelector(".scroll").matches(":focus-visible");
  const due = Date.now() - sortedAt > sortEvery && !held;
  if (!now && by === sortedBy && !due) return;
  sortedAt = Date.now();
  sortedBy = by;
  const found = [...sourceRows.values()].filter(row => words.every(w => row.text.includes(w)) && !(only && row.rank === 3));
  found.sort((a, b) => a.rank - b.rank || b.source.lag_records - a.source.lag_records ||
    (a.source.topic < b.source.topic ? -1 : a.source.topic > b.source.topic ? 1 : a.source.partition - b.source.partition));
  arrange(found.slice(0, rowsAtMost).map(row => row.tr));
  const shown = Math.min(found.length, rowsAtMost);
  put(byID("shown"), shown === sourceRows.size ? "" : `${count(shown)} of ${count(sourceRows.size)}`);
  byID("source-none").hidden = shown > 0;
  put(byID("source-none"), sourceRows.size === 0 ? "This process owns no partition yet." : only && !words.length ? "Nothing needs a look." : "No source is like that.");
}

function arrange(wanted) {
  const body = byID("source-rows");
  wanted.forEach((tr, i) => { if (body.children[i] !== tr) body.insertBefore(tr, body.children[i] ?? null); });
  while (body.children.length > wanted.length) body.lastChild.remove();
}

byID("filter").addEventListener("input", () => orderSources(true));
byID("only").addEventListener("change", () => orderSources(true));
