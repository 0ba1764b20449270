// Mistakes by kind: what was played, what would have been better, how often, and what it cost.
import { html, useState } from "./html.js";

/** So many kinds are shown at first. */
const SHOWN = 6;

/** @param {{kind: MistakeKind}} props */
export const KindWords = ({ kind }) => html`<span class="kind">${kind.played} <span class="to" aria-label="; better: ">→</span> ${kind.better}</span>`;

/**
 * The kinds of all players, that by which most was lost first; each leads to its next mistake.
 * @param {{summary: SeatReview[], judgements: Judgement[], names: string[], ply: number, onGo: (ply: number) => void}} props
 */
export function Kinds({ summary, judgements, names, ply, onGo }) {
  const [all, setAll] = useState(false);
  const rows = summary.flatMap(({ seat, kinds }) => kinds.map((kind) => ({ ...kind, seat }))).sort((a, b) => b.points_lost - a.points_lost);
  if (rows.length === 0) return null;
  const go = (/** @type {typeof rows[0]} */ row) => {
    const same = judgements.filter(({ seat, kind }) => seat === row.seat && kind?.played === row.played && kind.better === row.better);
    onGo((same.find((judgement) => judgement.ply > ply) ?? same[0]).ply);
  };
  return html`<div class="scroll"><table class="summary kinds-of-mistakes"><caption>What was played <span class="to">→</span> what was better</caption>
    <thead><tr><th scope="col">Kind</th><th scope="col">times</th><th scope="col">points</th></tr></thead>
    <tbody>${(all ? rows : rows.slice(0, SHOWN)).map((row) => html`<tr><td><button class="kind-row" title="Go to the next one" onClick=${() => go(row)}>
      <i class="seat-mark seat-${row.seat}" title=${names[row.seat]}></i><span class="sr">${names[row.seat]}: </span><${KindWords} kind=${row} /></button></td><td>${row.moves}</td><td>${row.points_lost.toFixed(1)}</td></tr>`)}</tbody></table>
    ${rows.length > SHOWN && html`<button class="quiet" onClick=${() => setAll(!all)}>${all ? "The worst alone" : `All ${rows.length} kinds`}</button>`}</div>`;
}
