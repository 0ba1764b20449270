// The page's one door to its libraries: elements written as templates, and the hooks.
import { h, render, createContext, Fragment } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

export { render, createContext, Fragment };
export { useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback, useContext } from "./vendor/hooks.js";

/** Elements from a template: html`<p class=${x}>…</p>`. */
export const html = htm.bind(h);

/**
 * A list of class names; what is false is left out.
 * @param {...(string | false | null | undefined)} names
 */
export const classes = (...names) => names.filter(Boolean).join(" ");
