
// What the curves are drawn of. The server sends its last minutes when a stream begins, and the page goes on from there.

const keptFor = 5 * 60_000, shownAtLeast = 2 * 60_000; // milliseconds
const past = {at: [], rate: [], rows: [], lag: new Map()};

function keyOf(source) { return JSON.stringify([source.topic, source.partition]); }

// The server's history, after what this page saw before it begins.
function takeHistory(h) {
  const begin = h.at.length ? h.at[0] : Infinity;
  const before = past.at.findIndex(t => t >= begin);
  const n = before < 0 ? past.at.length : before;
  const join = (mine, theirs) => mine.slice(0, n).concat(theirs);
  const lag = new Map();
  for (const s of h.sources ?? []) {
    lag.set(keyOf(s), join(past.lag.get(keyOf(s)) ?? new Array(n).fill(-1), s.lag));
  }
  past.lag = lag;
  past.at = join(past.at, h.at);
  past.rate = join(past.rate, h.rate);
  past.rows = join(past.rows, h.rows);
}

function addSample(s) {
  const at = Date.parse(s.at), n = past.at.length;
  if (n && at <= past.at[n - 1]) return;
  let perSecond = 0, rows = 0;
  const lag = new Map();
  for (const source of s.sources) {
    perSecond += source.records_rate;
    const values = past.lag.get(keyOf(source)) ?? new Array(n).fill(-1);
    values.push(source.lag_records);
    lag.set(keyOf(source), values);
  }
  for (const t of s.tables) rows += t.rows;
  past.lag = lag;
  past.at.push(at);
  past.rate.push(perSecond);
  past.rows.push(rows);
  const old = past.at.findIndex(t => t >= at - keptFor);
  if (old > 0) for (const values of [past.at, past.rate, past.rows, ...past.lag.values()]) values.splice(0, old);
}

// How many milliseconds the curves span: two minutes at first, as many as are kept in the end.
function shownSpan() {
  const n = past.at.length;
  return n ? Math.max(shownAtLeast, past.at[n - 1] - past.at[0]) : shownAtLeast;
}

// Rows a second at each sample, over the ten seconds before it. A process that began anew counts from 0.
function rowRates() {
  let from = 0;
  return past.rows.map((rows, i) => {
    while (past.at[from] < past.at[i] - 10_000) from++;
    const seconds = (past.at[i] - past.at[from]) / 1000;
    return seconds > 0 ? Math.max(0, rows - past.rows[from]) / seconds : -1;
  });
}

// The lag of all sources at each sample; -1 where none was known.
function totalLag() {
  const sum = new Array(past.at.length).fill(-1);
  for (const values of past.lag.values()) {
    values.forEach((v, i) => { if (v >= 0) sum[i] = Math.max(0, sum[i]) + v; });
  }
  return sum;
}
