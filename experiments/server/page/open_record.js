// A record that is pasted or opened from a file, and goes to the review.
import { html, useState } from "./html.js";
import { call } from "./server.js";
import { pack } from "./link.js";

/** Opens a record for review. @param {string} text */
async function open(text) {
  const line = text.split("\n").find((candidate) => candidate.trim()) ?? "";
  const record = await call("read", { text: line });
  location.hash = `#/review/${await pack({ course: record.course, names: record.names ?? record.agents, seed: record.seed })}`;
}

export function OpenRecord() {
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const go = (/** @type {string} */ record) => open(record).catch((fault) => setError(fault.message));
  const onFile = async (/** @type {any} */ event) => go(await event.target.files[0].text());
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    go(text);
  };
  return html`<form class="card" onSubmit=${submit}><h2>Review a game</h2>
    <textarea aria-label="Record, one line of JSON" placeholder="Paste a record: one line of a .jsonl file" value=${text} onInput=${(/** @type {any} */ e) => setText(e.target.value)}></textarea>
    <div class="row"><button type="submit" disabled=${!text.trim()}>Review</button>
      <label class="button">Open a file<input class="sr" type="file" accept=".jsonl,.json" onChange=${onFile} /></label></div>
    ${error && html`<p class="error" role="alert">${error}</p>`}
  </form>`;
}
