// What a person has chosen of how the page looks and moves; kept in the browser.
import { html, useState, useEffect } from "./html.js";

/** @typedef {{theme: "auto" | "light" | "dark", animation: boolean, letters: boolean}} Settings */

/** @type {Settings} */
const DEFAULTS = { theme: "auto", animation: true, letters: false };
const KEY = "azulejo-settings";
/** @type {Set<(settings: Settings) => void>} */
const listeners = new Set();

/** @returns {Settings} */
export function settings() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return DEFAULTS;
  }
}

/** @param {Partial<Settings>} changes */
function change(changes) {
  const next = { ...settings(), ...changes };
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // A browser that keeps nothing still shows the page.
  }
  applySettings(next);
  for (const listener of listeners) listener(next);
}

/** Tells the style sheet. @param {Settings} now */
export function applySettings(now) {
  const dark = now.theme === "dark" || (now.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.documentElement.classList.toggle("letters", now.letters);
}

/** True where tiles fly: switched on, and the system does not ask for less motion. */
export const animated = () => settings().animation && !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The settings as a form. */
export function SettingsForm() {
  const [now, setNow] = useState(settings());
  useEffect(() => {
    listeners.add(setNow);
    return () => void listeners.delete(setNow);
  }, []);
  const themes = /** @type {const} */ ([["auto", "as the system"], ["light", "light"], ["dark", "dark"]]);
  return html`<fieldset class="settings"><legend>Settings</legend>
    <label>Colors of the page
      <select value=${now.theme} onChange=${(/** @type {any} */ e) => change({ theme: e.target.value })}>
        ${themes.map(([value, name]) => html`<option value=${value}>${name}</option>`)}
      </select></label>
    <label class="check"><input type="checkbox" checked=${now.animation} onChange=${(/** @type {any} */ e) => change({ animation: e.target.checked })} /> Tiles move</label>
    <label class="check"><input type="checkbox" checked=${now.letters} onChange=${(/** @type {any} */ e) => change({ letters: e.target.checked })} /> Letters on tiles</label>
  </fieldset>`;
}
