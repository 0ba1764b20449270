// The first screen: a new game, games to go on with, and other ways in.
import { html, useEffect, useState } from "./html.js";
import { NewGame } from "./new_game.js";
import { forget, keptGames } from "./games_kept.js";
import { gameName, useCatalog } from "./catalog.js";
import { unpack } from "./link.js";
import { OpenRecord } from "./open_record.js";

/** @param {{code: string}} props `code` holds the course of a game that is to go on */
export function Home({ code }) {
  const [from, setFrom] = useState(/** @type {Course | null} */ (null));
  const [error, setError] = useState("");
  useEffect(() => void (code && unpack(code).then((link) => setFrom(link.course), (fault) => setError(fault.message))), [code]);
  if (code && !from && !error) return html`<main class="page"><p class="loading">Loading…</p></main>`;
  return html`<main class="page home">
    ${error && html`<p class="error" role="alert">${error}</p>`}
    <${NewGame} from=${from} />
    <div class="side"><${Kept} /><${OpenRecord} /></div>
  </main>`;
}

/** Games that this browser keeps. */
function Kept() {
  const catalog = useCatalog();
  const [games, setGames] = useState(keptGames());
  const remove = (/** @type {string} */ id) => {
    forget(id);
    setGames(keptGames());
  };
  return html`<section class="card"><h2>Your games</h2>
    ${games.length === 0 && html`<p class="note">Games are kept as they go, in this browser and in the folder of the server.</p>`}
    <ul class="kept">${games.slice(0, 12).map((game) => html`<li key=${game.id}>
      <a href="#/play/${game.id}"><b>${gameName(catalog, game.course.game)}</b> ${game.seats.map((seat) => seat.name).join(" – ")}
        <small>${game.over ? `over, ${game.scores.join(" : ")}` : `move ${game.course.moves.length}`} · ${new Date(game.changed).toLocaleString()}</small></a>
      <button class="quiet" aria-label="Forget this game" title="Forget this game" onClick=${() => remove(game.id)}>✕</button></li>`)}</ul>
  </section>`;
}
