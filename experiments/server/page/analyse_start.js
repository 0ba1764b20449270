// Where an analysis begins: a new game whose deals are entered or drawn, a course or a position as JSON, a record.
import { html, useState } from "./html.js";
import { GameChoice } from "./new_game.js";
import { OpenRecord } from "./open_record.js";
import { useCatalog } from "./catalog.js";
import { call } from "./server.js";
import { pack } from "./link.js";

/** The course that a JSON text means: a course, a state, or a record. @param {string} text @returns {Promise<Course>} */
async function courseOf(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`This is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (value.format) return (await call("read", { text })).course;
  if (value.boards) return { game: value.game, players: value.players, start: (await call("complete", { state: value })).state, moves: [] };
  return { ...value, moves: value.moves ?? [] };
}

export function AnalyseStart() {
  const { games } = useCatalog();
  const [spec, setSpec] = useState(games[0].specs[0].spec);
  const [players, setPlayers] = useState(2);
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const open = async (/** @type {Course} */ course) => void (location.hash = `#/analyse/${await pack({ course })}`);
  const paste = () => courseOf(text).then(open).catch((fault) => setError(fault.message));
  return html`<main class="page home">
    <section class="card"><h2>Follow a game at a real table</h2>
      <p class="note">Enter the deals round by round and the moves as they are made; a bot says what it thinks of every position.</p>
      <${GameChoice} spec=${spec} onPick=${setSpec} />
      <div class="row"><span class="label">Players</span><div class="segments">${[2, 3, 4].map((n) => html`<button type="button" aria-pressed=${players === n} onClick=${() => setPlayers(n)}>${n}</button>`)}</div></div>
      <button class="primary" onClick=${() => open({ game: spec, players, moves: [] })}>Begin</button>
      <a class="button" href="#/edit">Set up a position</a>
    </section>
    <div class="side"><section class="card"><h2>Analyse JSON</h2>
      <textarea aria-label="Course or position as JSON" placeholder="A course, a position's state, or a record" value=${text} onInput=${(/** @type {any} */ e) => setText(e.target.value)}></textarea>
      <button disabled=${!text.trim()} onClick=${paste}>Analyse</button>
      ${error && html`<p class="error" role="alert">${error}</p>`}</section>
      <${OpenRecord} /></div>
  </main>`;
}
