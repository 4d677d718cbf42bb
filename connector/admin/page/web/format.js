
// How figures and times are written.

const wholes = new Intl.NumberFormat("en-US", {maximumFractionDigits: 0});
const tenths = new Intl.NumberFormat("en-US", {minimumFractionDigits: 1, maximumFractionDigits: 1});
const shorts = new Intl.NumberFormat("en-US", {notation: "compact", minimumFractionDigits: 1, maximumFractionDigits: 1});

// A count that is not known is -1.
function count(n) { return n < 0 ? "unknown" : wholes.format(n); }

// A lag may be of any length, and has little room.
function short(n) { return n < 1e7 ? count(n) : shorts.format(n); }

function rate(n) { return n > 0 && n < 9.95 ? tenths.format(n) : wholes.format(n); }

// A time in seconds by its two largest units, as the rest says nothing.
function span(seconds) {
  if (seconds < 0) return "unknown";
  if (seconds > 0 && seconds < 9.95) return tenths.format(seconds) + " s";
  const s = Math.round(seconds), min = Math.floor(s / 60), h = Math.floor(min / 60);
  if (min < 1) return s + " s";
  if (h < 1) return min + " min" + (s % 60 ? " " + s % 60 + " s" : "");
  if (h < 24) return h + " h" + (min % 60 ? " " + min % 60 + " min" : "");
  return Math.floor(h / 24) + " d" + (h % 24 ? " " + h % 24 + " h" : "");
}

// How long ago, without tenths that would flicker.
function ago(seconds) { return seconds < 1 ? "now" : span(Math.round(seconds)).replace(".0", "") + " ago"; }

function moment(time) { return new Date(time).toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC"); }

function plural(n, one, many) { return count(n) + " " + (n === 1 ? one : many); }
