// The games of a run: page by page as they lie there, or those first from which most is to be learned.
import { html, useEffect, useState } from "./html.js";
import { call, calledOff } from "./server.js";
import { pack } from "./link.js";
import { strongest, useCatalog } from "./catalog.js";
import { useJudgedGames } from "./judged_games.js";

/** Games of a page. */
const PAGE = 50;
/** The most games that the server tells of in the order of what they lost. */
const MOST = 500;

/** @typedef {"index" | "points_lost" | "loss"} Order */

/** @type {[Order, string, string][]} */
const ORDERS = [["index", "In order", "as they were played"], ["points_lost", "Most points lost", "the games first in which all seats together lost most points"], ["loss", "Most wins lost", "the games first in which all seats together lost most of the win, summed over their moves"]];

/** What was lost in a game, to compare. @param {GameRow} game @param {Order} order */
const lost = (game, order) => (order === "index" ? -game.index : (game[order] ?? 0));

/**
 * The games of a page in an order: those that records have judgements of, and those that were judged here.
 * @param {string} path
 * @param {Order} order
 * @param {number} first
 * @param {unknown} version changes where the run has more games
 * @param {GameRow[]} here
 */
function useGames(path, order, first, version, here) {
  const [answer, setAnswer] = useState(/** @type {GamesAnswer | null} */ (null));
  const [error, setError] = useState("");
  const asked = order === "index" ? { path, first, count: PAGE } : { path, order, count: MOST };
  useEffect(() => {
    const off = new AbortController();
    call("games", asked, off.signal).then((games) => (setError(""), setAnswer(games)), (fault) => calledOff(fault) || setError(fault.message));
    return () => off.abort();
  }, [JSON.stringify(asked), version]);
  if (!answer || error) return { total: 0, listed: 0, games: [], error, loading: !error };
  const known = new Map(here.map((game) => [game.index, game]));
  if (order === "index") return { total: answer.total, listed: answer.total, games: answer.games.map((game) => known.get(game.index) ?? game), error, loading: false };
  const sorted = [...new Map([...answer.games, ...here].map((game) => [game.index, game])).values()].filter((game) => game[order] !== null).sort((a, b) => lost(b, order) - lost(a, order) || a.index - b.index);
  return { total: answer.total, listed: sorted.length, games: sorted.slice(first, first + PAGE), error, loading: false };
}

/** @param {{path: string, version: unknown}} props */
export function Games({ path, version }) {
  const catalog = useCatalog();
  const [order, setOrder] = useState(/** @type {Order} */ ("index"));
  const [first, setFirst] = useState(0);
  const judging = useJudgedGames(path, strongest(catalog));
  const { total, listed, games, error, loading } = useGames(path, order, first, version, judging.games);
  const pick = (/** @type {Order} */ next) => {
    setOrder(next);
    setFirst(0);
  };
  if (error) return html`<p class="note">${error}</p>`;
  if (loading) return html`<p class="loading">Loading…</p>`;
  if (total === 0) return html`<p class="note">No games yet.</p>`;
  return html`<section class="card games"><h2>Games</h2>
    <div class="segments orders" role="group" aria-label="Order of the games">${ORDERS.map(([key, name, about]) => html`<button aria-pressed=${order === key} title=${about} onClick=${() => pick(key)}>${name}</button>`)}</div>
    <${JudgeBar} judging=${judging} total=${total} />
    ${listed === 0 ? html`<p class="note">No game of this run has been judged yet.</p>` : html`<${Pages} first=${first} listed=${listed} onFirst=${setFirst} /><${GameTable} path=${path} games=${games} order=${order} />`}
  </section>`;
}

/** Begins and ends the judging of all games. @param {{judging: ReturnType<typeof useJudgedGames>, total: number}} props */
function JudgeBar({ judging, total }) {
  const count = judging.games.length;
  return html`<div class="row tight">
    ${judging.running ? html`<button onClick=${judging.stop}>Stop judging</button><progress class="run-bar" max=${total} value=${count} aria-label="Games judged"></progress>` : html`<button onClick=${judging.start}>${count ? "Go on judging" : "Judge the games"}</button>`}
    <span class="note" role="status">${count ? `${count} of ${total} games judged here` : "A bot judges game after game, as long as this page is open."}</span></div>
    ${judging.error && html`<p class="error" role="alert">${judging.error}</p>`}`;
}

/** @param {{first: number, listed: number, onFirst: (first: number) => void}} props */
function Pages({ first, listed, onFirst }) {
  if (listed <= PAGE) return null;
  const last = PAGE * Math.floor((listed - 1) / PAGE);
  return html`<div class="row tight pages" role="group" aria-label="Pages">
    <button disabled=${first === 0} aria-label="First page" onClick=${() => onFirst(0)}>«</button><button disabled=${first === 0} aria-label="Page before" onClick=${() => onFirst(first - PAGE)}>‹</button>
    <span>${first + 1} – ${Math.min(first + PAGE, listed)} of ${listed}</span>
    <button disabled=${first >= last} aria-label="Next page" onClick=${() => onFirst(first + PAGE)}>›</button><button disabled=${first >= last} aria-label="Last page" onClick=${() => onFirst(last)}>»</button></div>`;
}

/** @param {{path: string, games: GameRow[], order: Order}} props */
function GameTable({ path, games, order }) {
  const head = (/** @type {Order} */ key, /** @type {string} */ name) => html`<th scope="col" aria-sort=${order === key ? (key === "index" ? "ascending" : "descending") : undefined}>${name}</th>`;
  return html`<div class="scroll"><table class="table-list"><thead><tr>${head("index", "Game")}<th scope="col" class="left">Players</th><th scope="col">Scores</th>${head("points_lost", "Points lost")}${head("loss", "Wins lost")}<th scope="col" class="left end">End</th><th scope="col"><span class="sr">Review</span></th></tr></thead>
    <tbody>${games.map((game) => html`<tr key=${game.index}><td>${game.index}</td><td class="left">${game.names.map((name, i) => html`${i > 0 && " – "}${game.wins[i] > 0 ? html`<b>${name}</b>` : name}`)}</td><td>${game.scores.join(" : ")}</td>
      <td>${game.points_lost === null ? "–" : game.points_lost.toFixed(1)}</td><td>${game.loss === null ? "–" : game.loss.toFixed(2)}</td><td class="left end">${game.end}</td><td><button onClick=${() => review(path, game.index)}>Review</button></td></tr>`)}</tbody></table></div>`;
}

/** @param {string} path @param {number} index */
async function review(path, index) {
  const game = /** @type {GameRecord} */ (await call("game", { path, index }));
  location.hash = `#/review/${await pack({ course: game.course, names: game.names ?? game.agents, seed: game.seed })}`;
}
