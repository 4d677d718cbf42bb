
// The head of the page, and the figures over all sources.

// What a source needs, the most urgent first: the order of the table. Each has a sign, so that colour is not the only one.
const ranks = [
  {sign: "▲", word: "to look at"},
  {sign: "‖", word: "paused"},
  {sign: "◌", word: "starting or ending"},
  {sign: "●", word: "running"},
];
const stalledAfter = 60; // seconds in which the checkpoint of a source with lag has not moved

function stalledFor(source, s) {
  if (source.lag_records <= 0) return 0;
  return (Date.parse(s.at) - Date.parse(source.advanced_at ?? s.started)) / 1000;
}

function rankOf(source, s) {
  if (source.error || ["retrying", "fenced", "failed"].includes(source.state)) return 0;
  if (source.paused) return 1;
  if (source.state !== "running") return 2;
  return stalledFor(source, s) > stalledAfter ? 0 : 3;
}

for (const id of ["chart-rate", "chart-rows", "chart-lag"]) makeSpark(byID(id));
const healthLines = ranks.map(r => {
  const line = make("li", "", make("span", "sign", r.sign), make("span"));
  line.firstChild.ariaHidden = "true";
  byID("health").append(line);
  return line;
});

function showHead(s) {
  put(byID("sink"), s.sink);
  put(byID("delivery"), s.delivery);
  put(byID("version"), s.version);
  put(byID("uptime"), span(Math.round((Date.parse(s.at) - Date.parse(s.started)) / 1000)));
  put(byID("phase"), s.phase);
  put(byID("kafka"), sideWord(s.kafka));
  put(byID("hbase"), sideWord(s.hbase));
  for (const [name, side] of [["Kafka", s.kafka], ["HBase", s.hbase]]) showSide(name, side, s.at);
}

function sideWord(side) { return side.error ? "▲ no answer" : "● answers"; }

// An alert is there as long as a side does not answer. How long is not read out, as that changes each second.
function showSide(name, side, at) {
  const id = "side-" + name, there = byID(id);
  if (!side.error) { there?.remove(); return; }
  const line = there ?? make("li", "", make("strong", "", `▲ ${name} does not answer`), make("span", "since numbers"), make("div", "text"));
  line.id = id;
  put(line.children[1], " for " + span(Math.max(0, Math.round((Date.parse(at) - Date.parse(side.since ?? at)) / 1000))));
  line.children[1].ariaHidden = "true";
  put(line.children[2], side.error);
  if (!there) byID("sides").append(line);
}

function showTotals(s) {
  const last = past.at.length - 1, rows = rowRates(), lag = totalLag();
  put(byID("total-rate"), rate(past.rate[last]));
  put(byID("total-rows"), rows[last] < 0 ? "–" : rate(rows[last]));
  put(byID("total-lag"), lag[last] < 0 ? "–" : short(lag[last]));
  put(byID("total-sources"), count(s.sources.length));
  put(byID("note-rate"), plural(s.sources.reduce((n, x) => n + x.records, 0), "record", "records") + " since the start");
  put(byID("note-rows"), plural(past.rows[last], "row", "rows") + " since the start");
  put(byID("note-lag"), lagNote(s.sources));
  drawSpark(byID("chart-rate"), past.rate, "Records a second");
  drawSpark(byID("chart-rows"), rows, "Rows a second");
  drawSpark(byID("chart-lag"), lag, "Lag in records");
}

function lagNote(sources) {
  const oldest = Math.max(-1, ...sources.map(x => x.lag_seconds)), unknown = sources.filter(x => x.lag_records < 0).length;
  const behind = oldest < 0 ? "" : oldest === 0 ? "at the end" : "up to " + span(oldest) + " behind";
  const open = unknown ? plural(unknown, "source", "sources") + " unknown" : "";
  return [behind, open].filter(Boolean).join(", ") || "\u00a0";
}

// The window's title tells of trouble to who has the page in a tab behind.
function showHealth(s) {
  const n = ranks.map((_, rank) => s.sources.filter(x => rankOf(x, s) === rank).length);
  healthLines.forEach((line, rank) => {
    line.hidden = n[rank] === 0;
    line.dataset.rank = rank;
    line.className = "state";
    put(line.lastChild, count(n[rank]) + " " + ranks[rank].word);
  });
  document.title = (n[0] ? `▲ ${n[0]} · ` : "") + s.sink + " · rowmark";
}
