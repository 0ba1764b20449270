// A game handed on: by link, as JSON, to the table to be played, to the editor.
import { html, useState } from "./html.js";
import { copy, pack } from "./link.js";

/** @param {{course: Course, here: Course, names: string[], position: Position}} props */
export function SharePanel({ course, here, names, position }) {
  const [said, setSaid] = useState("");
  const [text, setText] = useState("");
  const share = async (/** @type {string} */ what, /** @type {string} */ value) => {
    const copied = await copy(value);
    setSaid(copied ? `${what} copied.` : "");
    setText(copied ? "" : value);
  };
  const link = async () => share("Link", `${location.origin}${location.pathname}#/analyse/${await pack({ course, names, ply: here.moves.length })}`);
  return html`<div class="handing" role="group" aria-label="Share"><div class="tools">
      <button onClick=${async () => (location.hash = `#/new/${await pack({ course: here })}`)} disabled=${position.turn === "over"}>Play from here</button>
      <button onClick=${async () => (location.hash = `#/edit/${await pack({ state: position.state })}`)}>Edit position</button>
      <button onClick=${link}>Copy link</button>
      <button onClick=${() => share("Game", JSON.stringify(course))}>Game as JSON</button>
      <button onClick=${() => share("Position", JSON.stringify(position.state))}>Position as JSON</button></div>
    ${said && html`<p class="note" role="status">${said}</p>`}
    ${text && html`<textarea readonly aria-label="To be copied" value=${text}></textarea>`}</div>`;
}
