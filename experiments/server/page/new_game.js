// The form of a new game: which game, who sits where, how long bots think.
import { html, useMemo, useState } from "./html.js";
import { BotSelect, TimeSelect, botAbout, moderate, takesTime, useCatalog } from "./catalog.js";
import { keep, newId } from "./games_kept.js";
import { Tile } from "./tile.js";

/** @typedef {{kind: "person" | "bot", spec: string, time_ms: number}} Chair */

/** @typedef {{spec: string, players: number, chairs: Chair[]}} Wish what was chosen last */

const KEY = "azulejo-new-game";

/** What was chosen last, as far as it is still offered; else a person against a moderate bot. @param {Catalog} catalog @returns {Wish} */
function lastWish(catalog) {
  const chairs = [0, 1, 2, 3].map((seat) => /** @type {Chair} */ ({ kind: seat === 0 ? "person" : "bot", spec: moderate(catalog), time_ms: 1000 }));
  const first = { spec: catalog.games[0].specs[0].spec, players: 2, chairs };
  try {
    const wish = { ...first, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
    const bots = catalog.agents.map((agent) => agent.spec);
    const games = catalog.games.flatMap((game) => game.specs.map((variant) => variant.spec));
    return games.includes(wish.spec) && wish.chairs.every((/** @type {Chair} */ chair) => bots.includes(chair.spec)) ? wish : first;
  } catch {
    return first;
  }
}

/** @param {Wish} wish */
function rememberWish(wish) {
  try {
    localStorage.setItem(KEY, JSON.stringify(wish));
  } catch {
    // A browser that keeps nothing begins with the same form each time.
  }
}

/**
 * @param {{from?: Course | null}} props `from` is the course of the game that is to go on
 */
export function NewGame({ from }) {
  const catalog = useCatalog();
  const wish = useMemo(() => lastWish(catalog), [catalog]);
  const [spec, setSpec] = useState(from?.game ?? wish.spec);
  const [players, setPlayers] = useState(from?.players ?? wish.players);
  const [chairs, setChairs] = useState(wish.chairs);
  const family = useMemo(() => catalog.games.find((game) => game.specs.some((variant) => variant.spec === spec)), [catalog, spec]);
  const setChair = (/** @type {number} */ seat, /** @type {Partial<Chair>} */ changes) => setChairs(chairs.map((chair, i) => (i === seat ? { ...chair, ...changes } : chair)));
  const start = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!from) rememberWish({ spec, players, chairs });
    begin(catalog, from ?? { game: spec, players, moves: [] }, chairs.slice(0, players));
  };
  return html`<form class="card new-game" onSubmit=${start}>
    <h2>${from ? "Play from here" : "New game"}</h2>
    ${!from && html`<${GameChoice} spec=${spec} onPick=${setSpec} />
      <div class="row" role="group" aria-label="Players"><span class="label">Players</span><div class="segments">
        ${(family?.players ?? [2, 3, 4]).map((n) => html`<button type="button" aria-pressed=${players === n} onClick=${() => setPlayers(n)}>${n}</button>`)}</div></div>`}
    ${chairs.slice(0, players).map((chair, seat) => html`<${ChairRow} key=${seat} seat=${seat} chair=${chair} game=${spec} onChange=${(/** @type {Partial<Chair>} */ changes) => setChair(seat, changes)} />`)}
    <button class="primary" type="submit">Play</button>
  </form>`;
}

/** @type {Record<string, string[]>} tiles that stand for a game */
const SIGNS = { azul: ["B", "Y", "R", "K", "W"], "summer-pavilion": ["O", "R", "B", "Y", "G", "P"], "queens-garden": ["Y4", "B2", "G6", "P3", "V1"] };

/** @param {{spec: string, onPick: (spec: string) => void}} props */
export function GameChoice({ spec, onPick }) {
  const { games } = useCatalog();
  const family = games.find((game) => game.specs.some((variant) => variant.spec === spec));
  return html`<div class="games-choice" role="group" aria-label="Game">
      ${games.map((game) => html`<button type="button" class="game-card" aria-label=${game.name} aria-pressed=${game === family} onClick=${() => onPick(game.specs[0].spec)}>
        <svg viewBox="0 0 ${36 * (SIGNS[game.id] ?? []).length} 38" aria-hidden="true">${(SIGNS[game.id] ?? []).map((tile, i) => html`<${Tile} game=${game.id} tile=${tile} x=${18 + 36 * i} y=${19} size=${34} />`)}</svg>
        <span>${game.name}</span></button>`)}</div>
    ${family && family.specs.length > 1 && html`<div class="row"><label class="label" for="variant">Variant</label>
      <select id="variant" value=${spec} onChange=${(/** @type {any} */ e) => onPick(e.target.value)}>
        ${family.specs.map((variant) => html`<option key=${variant.spec} value=${variant.spec}>${variant.name}</option>`)}</select></div>`}`;
}

/** @param {{seat: number, chair: Chair, game: string, onChange: (changes: Partial<Chair>) => void}} props */
function ChairRow({ seat, chair, game, onChange }) {
  const { agents } = useCatalog();
  const bot = agents.find((agent) => agent.spec === chair.spec);
  return html`<div class="row chair" role="group" aria-label="Seat ${seat + 1}"><span class="label"><span class="seat-mark seat-${seat}"></span>Seat ${seat + 1}</span>
    <div class="segments">
      <button type="button" aria-pressed=${chair.kind === "person"} onClick=${() => onChange({ kind: "person" })}>Person</button>
      <button type="button" aria-pressed=${chair.kind === "bot"} onClick=${() => onChange({ kind: "bot" })}>Bot</button>
    </div>
    ${chair.kind === "bot" && html`<${BotSelect} value=${chair.spec} label="Bot of seat ${seat + 1}" game=${game} onPick=${(/** @type {string} */ spec) => onChange({ spec })} />
      ${takesTime(chair.spec) && html`<${TimeSelect} value=${chair.time_ms} label="Thinking time of seat ${seat + 1}" onPick=${(/** @type {number} */ time_ms) => onChange({ time_ms })} />`}
      <small>${bot && botAbout(bot, game)}</small>`}
  </div>`;
}

/**
 * Begins a game and goes to it.
 * @param {Catalog} catalog
 * @param {Course} course
 * @param {Chair[]} chairs
 */
export async function begin(catalog, course, chairs) {
  const people = chairs.filter((chair) => chair.kind === "person").length;
  const names = told(chairs.map((chair, i) => chairName(catalog, chair, i, people)));
  const seats = chairs.map((chair, i) => ({ ...chair, name: names[i], spec: chair.kind === "bot" ? chair.spec : "" }));
  const id = newId();
  const seed = Math.floor(Math.random() * 2 ** 31);
  await keep({ id, course, seats, seed, changed: Date.now(), over: false, scores: [] });
  location.hash = `#/play/${id}`;
}

/** @param {Catalog} catalog @param {Chair} chair @param {number} seat @param {number} people */
function chairName(catalog, chair, seat, people) {
  if (chair.kind === "person") return people === 1 ? "You" : `Player ${seat + 1}`;
  return catalog.agents.find((agent) => agent.spec === chair.spec)?.name ?? chair.spec;
}

/** Names that tell all seats apart: who shares a name has the seat's number beside it. @param {string[]} names */
const told = (names) => names.map((name, seat) => (names.filter((other) => other === name).length > 1 ? `${name} (${seat + 1})` : name));
