// Keys, rules and settings, one click away on every screen.
import { html, useEffect, useRef } from "./html.js";
import { useCatalog } from "./catalog.js";
import { SettingsForm } from "./settings.js";
import { Tile } from "./tile.js";
import { COLORS, PATTERNS, tileName } from "./colors.js";
import { taken } from "./keyboard.js";

const KEYS = [
  ["Tab, arrow keys", "go from part to part of what can be chosen"],
  ["Enter, space", "choose the part"],
  ["1 … 9, 0", "choose the part that carries this number"],
  ["Esc", "choose again, or let go of what is dragged"],
  ["mouse, finger", "click or tap what is chosen, or drag tiles to where they go"],
  ["U", "undo (while playing)"],
  ["H", "hint (while playing)"],
  ["← →", "a move back or on (while analysing)"],
  ["↑ ↓", "to the first or last move (while analysing)"],
  ["F", "turn the table (while analysing)"],
  ["N", "the next mistake (in a review)"],
  ["space", "start or stop the bot (while analysing)"],
  ["?", "this help"],
];

export function Help() {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const { games, version } = useCatalog();
  useEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "?" && !taken(event)) dialog.current?.showModal();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return html`<button class="help" aria-label="Rules, keys and settings" onClick=${() => dialog.current?.showModal()}>Rules & keys</button>
    <dialog ref=${dialog} class="help-dialog" aria-label="Rules, keys and settings">
      <form method="dialog"><button class="close" aria-label="Close">✕</button></form>
      <h2>Rules</h2>
      ${games.map((game) => html`<details><summary>${game.name}</summary><${Legend} game=${game.id} /><div class="guide">${game.guide}</div></details>`)}
      <h2>Keys</h2>
      <table class="keys"><tbody>${KEYS.map(([key, what]) => html`<tr><th scope="row"><kbd>${key}</kbd></th><td>${what}</td></tr>`)}</tbody></table>
      <${SettingsForm} />
      <p class="note">azulejo ${version}</p>
    </dialog>`;
}

/** What the tiles of a game are called. @param {{game: string}} props */
function Legend({ game }) {
  const colors = Object.keys(COLORS[game]);
  const tiles = game === "queens-garden" ? colors.map((color, i) => `${color}${i + 1}`) : colors;
  return html`<ul class="legend">${tiles.map((tile) => html`<li><svg viewBox="-18 -18 36 36" aria-hidden="true"><${Tile} game=${game} tile=${tile} /></svg>${tileName(game, tile[0])}${tile[1] ? ` · ${PATTERNS[Number(tile[1])]} (${tile[1]})` : ""}</li>`)}</ul>`;
}
