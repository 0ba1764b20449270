// The head of a player's board: name, score and where it came from, marker, chance to win.
import { html } from "./html.js";

/** @param {number} share */
export const percent = (share) => `${Math.round(share * 100)} %`;

/** A number with a sign. @param {number} value @param {number} [digits] */
export const signed = (value, digits = 1) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(digits);

/** The seat that holds the starting marker, or "center". @param {State} state */
const markerOf = (state) => ("token" in state ? state.token : state.marker);

/**
 * @param {{position: Position, seat: Seat, name: string, share?: number, thinking: boolean, wide: boolean, onWide: () => void}} props
 */
export function SeatHeader({ position, seat, name, share, thinking, wide, onWide }) {
  const { state, wins } = position;
  const board = state.boards[seat];
  const passed = "passed" in board && board.passed && position.turn !== "over";
  return html`<header class="seat-head">
    <span class="seat-mark seat-${seat}"></span><span class="seat-name">${name}${position.turn === seat && html`<span class="sr"> to move</span>`}</span>
    ${markerOf(state) === seat && html`<span class="chip" title="has the starting marker: begins next">first</span>`}
    ${state.start === seat && html`<span class="chip quiet began" title="began this round">began</span>`}
    ${passed && html`<span class="chip quiet">passed</span>`}
    ${wins && wins[seat] > 0 && html`<span class="chip win">${wins[seat] === 1 ? "won" : "shares the win"}</span>`}
    ${thinking && html`<span class="chip thinking">thinks…</span>`}
    ${share !== undefined && html`<span class="share" title="share of the win that the bot expects">${percent(share)}</span>`}
    <button class="enlarge" aria-label="${wide ? "Shrink" : "Enlarge"} the board of ${name}" aria-expanded=${wide} onClick=${onWide}>⤢</button>
    <${Score} position=${position} seat=${seat} />
  </header>`;
}

/** The score, and where its points came from. @param {{position: Position, seat: Seat}} props */
function Score({ position, seat }) {
  const sources = Object.entries(position.sources?.[seat] ?? {}).filter(([, points]) => points !== 0);
  return html`<details class="score"><summary title="Where the points came from"><strong>${position.scores[seat]}</strong><span class="sr"> points of ${seat + 1}</span></summary>
    <table class="sources"><caption>Where the points came from</caption><tbody>
      ${sources.length === 0 && html`<tr><td>no points yet</td></tr>`}
      ${sources.map(([source, points]) => html`<tr><th scope="row">${source.replaceAll("_", " ")}</th><td>${signed(points, 0)}</td></tr>`)}
    </tbody></table></details>`;
}
