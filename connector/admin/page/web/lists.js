
// Tables, recent trouble, and the reprocessing of a time window.

const modes = {
  region: "a transaction for each region",
  row: "row by row",
  plain: "plain writes, no marks",
};
const severe = ["failed", "fenced", "refused", "dead-letter"];

function showTables(tables) {
  byID("tables-none").hidden = tables.length > 0;
  byID("tables").replaceChildren(...tables.map(t => {
    const item = make("li", "",
      make("div", "head", make("span", "name", t.name), make("span", "n", plural(t.rows, "row", "rows"))),
      make("div", "dim", modes[t.mode] ?? t.mode));
    if (t.row_mode_reason) item.append(make("div", "text", "▲ not by regions: " + t.row_mode_reason));
    return item;
  }));
}

function placeOf(e) {
  const source = e.topic ? `${e.topic} / ${e.partition}` : "";
  const offset = e.topic && e.offset >= 0 ? " at offset " + count(e.offset) : "";
  return source + offset + (e.table ? (source ? " → " : "") + e.table : "");
}

function showRecent(events, at) {
  byID("recent-none").hidden = events.length > 0;
  byID("recent").replaceChildren(...events.map(e => {
    const rank = severe.includes(e.kind) ? 0 : 1;
    const time = make("time", "n dim", ago((Date.parse(at) - Date.parse(e.at)) / 1000));
    time.dateTime = e.at;
    time.title = moment(e.at);
    const head = make("div", "head", make("span", "kind", (rank ? "△ " : "▲ ") + e.kind));
    if (e.count > 1) head.append(make("span", "times", "× " + count(e.count)));
    head.append(time);
    const item = make("li", "", head, make("div", "text", e.text));
    item.dataset.rank = rank;
    if (placeOf(e)) item.append(make("div", "dim", placeOf(e)));
    return item;
  }));
}

function showReprocess(r) {
  byID("reprocess").hidden = !r;
  if (!r) return;
  const share = r.total > 0 ? Math.min(1, r.done / r.total) : 0;
  put(byID("reprocess-id"), r.id);
  put(byID("reprocess-window"), `${moment(r.from)} to ${moment(r.to)}`);
  byID("reprocess-bar").value = share;
  const left = r.done >= r.total ? "done" : r.seconds_left < 0 ? "time left not known" : span(Math.round(r.seconds_left)) + " left";
  put(byID("reprocess-text"), `${Math.floor(share * 100)}% · ${count(r.done)} of ${plural(r.total, "offset", "offsets")} · ${rate(r.rate)} /s · ${left}`);
}
