// Runs and studies under the server's folder: how far they are, what came out, their games.
import { html, useEffect, useState } from "./html.js";
import { call } from "./server.js";
import { Games } from "./games.js";

/** @param {{argument: string}} props the path of a run, or nothing for the list */
export function Runs({ argument }) {
  return argument ? html`<${Run} path=${decodeURIComponent(argument)} />` : html`<${RunList} />`;
}

/**
 * An answer that is asked for again every few seconds.
 * @param {string} name
 * @param {unknown} body
 * @param {(answer: any) => boolean} changing whether it may still change
 */
function useLive(name, body, changing) {
  const [answer, setAnswer] = useState(/** @type {any} */ (null));
  const [error, setError] = useState("");
  useEffect(() => {
    let timer = 0;
    let here = true;
    const ask = () =>
      call(name, body).then((next) => {
        if (!here) return;
        setAnswer(next);
        setError("");
        if (changing(next)) timer = window.setTimeout(ask, 3000);
      }, (fault) => here && setError(fault.message));
    ask();
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [JSON.stringify(body)]);
  return { answer, error };
}

/** @param {RunInfo} run */
const running = (run) => !run.finished;

function RunList() {
  const { answer, error } = useLive("runs", {}, (list) => list.some(running));
  const [wanted, setWanted] = useState("");
  const runs = answer?.filter((/** @type {RunInfo} */ run) => wanted.split(" ").every((word) => `${run.path} ${run.kind} ${run.game ?? ""}`.includes(word)))
    .sort((/** @type {RunInfo} */ a, /** @type {RunInfo} */ b) => Number(running(b)) - Number(running(a)) || (b.changed ?? 0) - (a.changed ?? 0));
  return html`<main class="page"><section class="card"><h2>Runs and studies</h2>
    ${error && html`<p class="error" role="alert">${error}</p>`}
    ${answer?.length > 0 && html`<input type="text" aria-label="Words that the runs contain" placeholder="Search" value=${wanted} onInput=${(/** @type {any} */ e) => setWanted(e.target.value)} />`}
    ${answer?.length === 0 && html`<p class="note">No run lies under this folder. \`azulejo tournament --out DIR\` makes one; \`azulejo serve --root DIR\` shows it.</p>`}
    ${runs?.length > 0 && html`<div class="scroll"><table class="table-list"><thead><tr><th scope="col">Run</th><th scope="col" class="left">Kind</th><th scope="col" class="left">Game</th><th scope="col">Players</th><th scope="col">Progress</th></tr></thead>
      <tbody>${runs.map((/** @type {RunInfo} */ run) => html`<tr><td><a href="#/runs/${encodeURIComponent(run.path)}">${run.path}</a></td><td class="left">${run.kind}</td><td class="left">${run.game ?? ""}</td><td>${run.players ?? ""}</td><td><${Progress} run=${run} /></td></tr>`)}</tbody></table></div>`}
  </section></main>`;
}

/** @param {{run: RunInfo}} props */
function Progress({ run }) {
  if (run.finished || run.games === null) return html`${run.done === null ? "" : `${run.done} games`} ${run.finished ? "✓" : "…"}`;
  return html`<progress class="run-bar" max=${run.games} value=${run.done ?? 0}></progress> ${run.done ?? 0} of ${run.games}`;
}

/** @param {{path: string}} props */
function Run({ path }) {
  const { answer: run, error } = useLive("run", { path }, running);
  if (!run) return html`<main class="page">${error ? html`<p class="error" role="alert">${error}</p>` : html`<p class="loading">Loading…</p>`}</main>`;
  return html`<main class="page"><p><a href="#/runs">All runs</a></p>
    <section class="card"><h2>${run.path}</h2><p>${run.kind}${run.game ? ` of ${run.game}, ${run.players} players` : ""} <${Progress} run=${run} /> ${run.report && html`<a href=${run.report} target="_blank" rel="noopener">Report</a>`}</p>
      ${run.agents?.length > 0 && !run.summary?.agents && html`<p class="note">${run.agents.join(", ")}</p>`}
      ${run.summary?.agents && html`<${Agents} agents=${run.summary.agents} />`}
      ${run.metrics?.length > 1 && html`<${Curves} rows=${run.metrics} />`}
    </section>
    <${Games} path=${path} version=${run.done} />
  </main>`;
}

/** @param {unknown} value @param {number} [digits] */
const number = (value, digits = 1) => (typeof value === "number" ? value.toFixed(digits) : "–");

/** @param {{agents: any[]}} props */
function Agents({ agents }) {
  return html`<div class="scroll"><table class="table-list"><thead><tr><th scope="col">Bot</th><th scope="col">Games</th><th scope="col">Win share</th><th scope="col">95 %</th><th scope="col">Score</th><th scope="col">Rating</th><th scope="col">95 %</th></tr></thead>
    <tbody>${agents.map((agent) => html`<tr><td>${agent.name ?? agent.spec}</td><td>${agent.games}</td><td>${number(agent.win_share, 3)}</td><td>${number(agent.win_share_low, 3)} – ${number(agent.win_share_high, 3)}</td><td>${number(agent.mean_score)}</td><td>${number(agent.rating, 0)}</td><td>${typeof agent.rating === "number" ? `${number(agent.rating_low, 0)} – ${number(agent.rating_high, 0)}` : "–"}</td></tr>`)}</tbody></table></div>`;
}

/** The columns of a training's numbers, each as a curve. @param {{rows: Record<string, string | number>[]}} props */
function Curves({ rows }) {
  const columns = Object.keys(rows[0]).filter((name) => rows.every((row) => row[name] === "" || Number.isFinite(Number(row[name]))));
  const [column, setColumn] = useState(columns.find((name) => /rating|win|loss/.test(name)) ?? columns[0]);
  const points = rows.flatMap((row, i) => (row[column] === "" || row[column] === null ? [] : [{ i, value: Number(row[column]) }]));
  const values = points.map((point) => point.value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const d = points.map(({ i, value }, k) => `${k ? "L" : "M"}${(600 * i) / Math.max(1, rows.length - 1)} ${150 - (140 * (value - low)) / (high - low || 1) - 5}`).join("");
  return html`<figure class="graph"><figcaption><label>Curve <select value=${column} onChange=${(/** @type {any} */ e) => setColumn(e.target.value)}>${columns.map((name) => html`<option>${name}</option>`)}</select></label> ${number(low, 3)} to ${number(high, 3)}, last ${number(values.at(-1), 3)}</figcaption>
    <svg viewBox="0 0 600 150" preserveAspectRatio="none" role="img" aria-label=${column}><path class="curve seat-0" d=${d} /></svg></figure>`;
}
