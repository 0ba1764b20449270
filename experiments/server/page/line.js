// A line of play, move by move in words, with the notation beside them.
import { html, classes } from "./html.js";

/** So many moves of a line are told. */
const TOLD = 6;

/**
 * What is expected after the first move of a line. Each move can be gone to.
 * @param {{line: string[], told: LineMove[], open: boolean, onPlay: (moves: string[]) => void}} props
 */
export function Line({ line, told, open, onPlay }) {
  const rest = told.slice(1, 1 + TOLD);
  if (rest.length === 0) return null;
  const list = html`<ol class="line">${rest.map(({ seat, words }, i) => html`<li><button class="line-move" title="Go to this move of the line" onClick=${() => onPlay(line.slice(0, i + 2))}>
    <span class=${classes("seat-mark", typeof seat === "number" && `seat-${seat}`)}></span><span class="words">${words}</span><code class="token">${line[i + 1]}</code></button></li>`)}</ol>`;
  return open ? list : html`<details class="line-closed"><summary>then ${rest[0].words}</summary>${list}</details>`;
}
