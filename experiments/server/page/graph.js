// The evaluation of a whole game: win share or lead of each seat over its moves.
import { html, useState } from "./html.js";

const WIDTH = 600;
const HEIGHT = 150;

/**
 * @param {{judgements: Judgement[], total: number, players: number, ply: number, names: string[], onGo: (ply: number) => void}} props
 */
export function EvaluationGraph({ judgements, total, players, ply, names, onGo }) {
  const [what, setWhat] = useState(/** @type {"wins" | "leads"} */ ("wins"));
  const most = Math.max(10, ...judgements.flatMap((judgement) => judgement.leads ?? []).map(Math.abs));
  const x = (/** @type {number} */ at) => (WIDTH * at) / Math.max(1, total);
  const y = (/** @type {number} */ value) => (what === "wins" ? HEIGHT * (1 - value) : (HEIGHT * (1 - value / most)) / 2);
  const valued = judgements.filter((judgement) => judgement[what]?.length);
  const go = (/** @type {any} */ event) => {
    const box = event.currentTarget.getBoundingClientRect();
    onGo(Math.round(((event.clientX - box.left) / box.width) * total));
  };
  return html`<figure class="graph">
    <figcaption><div class="segments" role="group" aria-label="What the graph shows">
      <button aria-pressed=${what === "wins"} onClick=${() => setWhat("wins")}>Win share</button>
      <button aria-pressed=${what === "leads"} onClick=${() => setWhat("leads")}>Lead in points</button></div></figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Evaluation over the game" onClick=${go}>
      <path class="zero" d="M0 ${y(what === "wins" ? 1 / players : 0)}H${WIDTH}" />
      ${names.map((_, seat) => html`<path class="curve seat-${seat}" d=${valued.map((judgement, i) => `${i ? "L" : "M"}${x(judgement.ply).toFixed(1)} ${y(judgement[what][seat] ?? 0).toFixed(1)}`).join("")} />`)}
      ${judgements.filter((judgement) => judgement.mark && typeof judgement.seat === "number").map((judgement) => html`<ellipse class="dot ${judgement.mark}" cx=${x(judgement.ply)} cy=${y(judgement[what]?.[Number(judgement.seat)] ?? 0)} rx="3.5" ry="4.5" />`)}
      <path class="here" d="M${x(ply)} 0V${HEIGHT}" />
    </svg>
    <div class="graph-names">${names.map((name, seat) => html`<span><i class="seat-mark seat-${seat}"></i>${name}</span>`)}<span class="note">${what === "wins" ? "0 to 100 %" : `−${most.toFixed(0)} to +${most.toFixed(0)}`}</span></div>
  </figure>`;
}
