
let latest = null, drawing = false;

function draw() {
  drawing = false;
  showHead(latest);
  showTotals(latest);
  showHealth(latest);
  showReprocess(latest.reprocess);
  showSources(latest);
  showTables(latest.tables);
  showRecent(latest.recent, latest.at);
  byID("link").title = "Figures of " + moment(latest.at);
}

// A page in a tab behind draws nothing until it is looked at.
followStream((name, data) => {
  if (name === "history") { takeHistory(data); return; }
  latest = {...data, sources: data.sources ?? [], tables: data.tables ?? [], recent: data.recent ?? []};
  seenAt = Date.now();
  addSample(latest);
  if (!drawing) { drawing = true; requestAnimationFrame(draw); }
});
setInterval(showSeen, 1000);
