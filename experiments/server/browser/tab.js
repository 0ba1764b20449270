// A browser's tab in which nothing may be said on the console: no error, no warning, no report of the content's policy.
import { chromium } from "playwright-core";
import assert from "node:assert/strict";
import { existsSync } from "node:fs";

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

const CHROMIUM = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

/** A browser for the tests of one file. */
export const openBrowser = () => chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });

/**
 * Opens a tab without animation; `quiet` says whether nothing was heard beside what is `expected`, and that the page is no wider than the screen.
 * @param {import("playwright-core").Browser} browser
 * @param {string} base
 * @param {{width: number, height: number}} size
 * @param {string} screen the first one, as the address names it after `#/`: a page that changes its screen goes on showing the former one for a
 *   moment, and its buttons may have the same names
 */
export async function openTab(browser, base, size, screen = "") {
  const context = await browser.newContext({ viewport: size, hasTouch: size.width < 500, permissions: ["clipboard-read", "clipboard-write"] });
  const tab = await context.newPage();
  /** @type {string[]} */
  const heard = [];
  tab.on("console", (message) => heard.push(`${message.type()}: ${message.text()} at ${message.location().url}`));
  tab.on("pageerror", (error) => heard.push(`error: ${error.stack}`));
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
    if (!localStorage.getItem("azulejo-settings")) localStorage.setItem("azulejo-settings", JSON.stringify({ animation: false }));
  });
  await tab.goto(`${base}/#/${screen}`);
  const quiet = async (/** @type {RegExp} */ expected = /^$/) => {
    assert.deepEqual([...new Set(heard)].filter((said) => !expected.test(said)), []);
    const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} px wider than the screen`);
  };
  return { tab, quiet, close: () => context.close() };
}

/**
 * Keeps a picture where SHOTS names a folder.
 * @param {import("playwright-core").Page} tab
 * @param {string} name
 */
export async function picture(tab, name) {
  if (process.env.SHOTS) await tab.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true });
}
