// The list of a game's moves, round by round.
import { html, classes, useEffect, useRef } from "./html.js";
import { signed } from "./seat.js";

/** @type {Record<string, string>} */
export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/**
 * @param {{log: PlayedMove[], names: string[], ply: number, onGo?: (ply: number) => void, judged?: Map<number, Judgement>}} props
 */
export function MoveList({ log, names, ply, onGo, judged }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const now = list.current?.querySelector(".now");
    if (now instanceof HTMLElement && list.current) list.current.scrollTop = now.offsetTop - list.current.clientHeight / 2;
  }, [ply, log.length]);
  return html`<ol class="moves" ref=${list} aria-label="Moves">
    ${log.map((entry, i) => {
      const round = entry.round !== undefined && entry.round !== log[i - 1]?.round;
      return html`${round && html`<li class="round-head" key=${`r${entry.ply}`}>Round ${entry.round}</li>`}
        <${MoveItem} key=${entry.ply} entry=${entry} before=${log[i - 1]} names=${names} now=${entry.ply + 1 === ply} onGo=${onGo} judgement=${judged?.get(entry.ply)} />`;
    })}
  </ol>`;
}

/** Whose points a move has changed: the mover's, and at the end of a round everybody's. @param {PlayedMove} entry @param {PlayedMove | undefined} before */
function gainsOf(entry, before) {
  const scores = entry.scores ?? [];
  return scores.map((score, seat) => ({ seat, points: score - (before?.scores?.[seat] ?? score) })).filter(({ points }) => points !== 0);
}

/**
 * @param {{entry: PlayedMove, before?: PlayedMove, names: string[], now: boolean, onGo?: (ply: number) => void, judgement?: Judgement}} props
 */
function MoveItem({ entry, before, names, now, onGo, judgement }) {
  const seat = typeof entry.seat === "number" ? entry.seat : null;
  const gains = gainsOf(entry, before);
  const lost = judgement?.points_lost ?? 0;
  const content = html`<span class=${classes("seat-mark", seat !== null && `seat-${seat}`)} title=${seat === null ? "chance" : names[seat]}></span>
    <span class="words">${entry.words}</span>
    ${gains.length > 0 && html`<span class="gains">${gains.map((gain) => html`<span class=${classes("gain", gain.points < 0 && "loss")} title=${names[gain.seat]}>
      ${(gains.length > 1 || gain.seat !== seat) && html`<i class="seat-mark seat-${gain.seat}"></i>`}${signed(gain.points, 0)}</span>`)}</span>`}
    ${judgement?.mark && html`<span class="mark ${judgement.mark}" title="${judgement.mark}: ${lost.toFixed(1)} points lost">${SIGNS[judgement.mark]} ${signed(-lost)}</span>`}`;
  return html`<li class=${classes(now && "now", seat === null && "chance")}>
    ${onGo ? html`<button class="move" onClick=${() => onGo(entry.ply + 1)}>${content}</button>` : html`<span class="move">${content}</span>`}</li>`;
}
