
// The stream of events. It is read with fetch, as an EventSource neither sends a token nor tells why it was refused.

const silenceLimit = 15_000, waits = [1, 2, 4, 8]; // milliseconds; seconds
let token = "", seenAt = 0, linkState = "wait";

function showLink(state, text) {
  linkState = state;
  byID("link").dataset.state = state;
  put(byID("link-text"), text);
  showSeen();
}

// Apart from the words before it, so that a screen reader need not say each second.
function showSeen() {
  const seconds = Math.floor((Date.now() - seenAt) / 1000);
  const late = seenAt > 0 && (linkState === "lost" || seconds > 5);
  put(byID("link-since"), late ? `last seen ${seconds} s ago` : "");
}

// Hands each event to take. It returns when the stream ends, and throws when it breaks.
async function readStream(body, take, alive) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ;) {
    const {value, done} = await reader.read();
    if (done) return;
    alive();
    const blocks = (text + value).split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const event = /^event: (.*)\ndata: (.*)$/.exec(block);
      if (event) take(event[1], JSON.parse(event[2]));
    }
  }
}

// One connection, from its request to its end. It returns whether the server let it in.
async function connect(take) {
  const ending = new AbortController();
  let timer;
  const alive = () => { clearTimeout(timer); timer = setTimeout(() => ending.abort(), silenceLimit); };
  alive();
  let open = false;
  try {
    const headers = token ? {Authorization: "Bearer " + token} : {};
    const answer = await fetch("events", {headers, cache: "no-store", signal: ending.signal});
    if (answer.status === 401) { await askToken(); return true; }
    if (!answer.ok) { showLink("lost", `Not connected: ${(await answer.text()).trim()}`); return false; }
    open = true;
    hideToken();
    showLink("live", "Live");
    await readStream(answer.body, take, alive);
    showLink("lost", "Connection lost,");
  } catch {
    showLink("lost", seenAt ? "Connection lost," : "Not connected");
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
  return open;
}

async function followStream(take) {
  for (let failed = 0; ;) {
    failed = await connect(take) ? 0 : failed + 1;
    if (linkState !== "wait") await new Promise(done => setTimeout(done, 1000 * waits[Math.min(failed, waits.length - 1)]));
  }
}

// The token stays in this page's memory: no address, cookie or storage has it.
function askToken() {
  const form = byID("token-form"), input = byID("token");
  put(byID("token-note"), token ? "The server did not accept this token." : "");
  showLink("wait", "Waiting for the token");
  document.querySelector("main").hidden = true;
  form.hidden = false;
  input.value = "";
  input.focus();
  return new Promise(done => form.addEventListener("submit", e => {
    e.preventDefault();
    token = input.value.trim();
    showLink("wait", "Connecting");
    done();
  }, {once: true}));
}

function hideToken() {
  byID("token-form").hidden = true;
  document.querySelector("main").hidden = false;
}
