// A person at the page: begins a game and plays it to the end, by mouse or by keyboard alone.
import assert from "node:assert/strict";

/** @typedef {import("playwright-core").Page} Page */

/** Numbers that come out the same each time. @param {number} seed */
export function dice(seed) {
  let state = seed;
  return (/** @type {number} */ sides) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * sides);
  };
}

/**
 * Fills in the form of a new game: a person against bots that play at random.
 * @param {Page} tab
 * @param {string} game
 * @param {number} players
 */
export async function beginGame(tab, game, players) {
  await tab.getByRole("button", { name: game, exact: true }).click();
  await tab.getByRole("group", { name: "Players" }).getByRole("button", { name: String(players) }).click();
  for (let seat = 2; seat <= players; seat++) await tab.getByLabel(`Bot of seat ${seat}`).selectOption("random");
  await tab.getByRole("button", { name: "Play", exact: true }).click();
  await tab.getByRole("region", { name: "Table" }).waitFor();
}

/**
 * What can be chosen now: indices of lit parts and buttons, without the pass and the floor where there is anything else.
 * @param {Page} tab
 */
async function open(tab) {
  await tab.waitForFunction(() => document.querySelector(".target.lit, .choice, .result"), undefined, { polling: 30 });
  return tab.evaluate(() => {
    if (document.querySelector(".result")) return { over: true, version: "", choices: [] };
    const parts = [...document.querySelectorAll(".target.lit, .choice")];
    const keys = parts.map((part) => part.getAttribute("data-key") ?? "");
    const dull = (/** @type {string} */ key) => key === "pass" || key.startsWith("to:0@");
    const all = keys.map((key, index) => ({ key, index }));
    const good = all.filter(({ key }) => !dull(key));
    const chosen = document.querySelectorAll(".chosen").length;
    return { over: false, version: `${document.querySelectorAll(".moves > li").length} ${chosen} ${keys.join()}`, choices: good.length ? good : all };
  });
}

/** Plays one choice with the mouse. @param {Page} tab @param {{key: string, index: number}} choice */
const byMouse = (tab, choice) => tab.locator(".target.lit, .choice").nth(choice.index).click({ timeout: 10000 });

/**
 * Plays one choice with keys: a digit where the part has a number, else Tab until it has the focus, and Enter.
 * @param {Page} tab
 * @param {{key: string, index: number}} choice
 */
async function byKeyboard(tab, choice) {
  if (choice.index < 10) return tab.keyboard.press(String((choice.index + 1) % 10));
  const there = () => tab.evaluate((key) => document.activeElement?.getAttribute("data-key") === key, choice.key);
  for (let i = 0; i < 200 && !(await there()); i++) await tab.keyboard.press("Tab");
  assert.ok(await there(), `Tab never reaches ${choice.key}`);
  await tab.keyboard.press("Enter");
}

/**
 * Plays to the end.
 * @param {Page} tab
 * @param {"mouse" | "keyboard"} hand
 * @param {(sides: number) => number} roll
 */
export async function playToEnd(tab, hand, roll) {
  for (let steps = 0; ; steps++) {
    assert.ok(steps < 2000, "the game does not end");
    const now = await open(tab);
    if (now.over) return steps;
    await (hand === "mouse" ? byMouse : byKeyboard)(tab, now.choices[roll(now.choices.length)]);
    await changed(tab, now.version).catch(async (fault) => {
      const errors = await tab.locator(".error").allInnerTexts();
      throw new Error(`nothing changed after choice ${steps} among ${now.version}; the page says: ${errors.join("; ")}; ${fault.message}`);
    });
  }
}

/** Waits until something else can be chosen. @param {Page} tab @param {string} version */
async function changed(tab, version) {
  await tab.waitForFunction((before) => {
    if (document.querySelector(".result")) return true;
    const keys = [...document.querySelectorAll(".target.lit, .choice")].map((part) => part.getAttribute("data-key") ?? "");
    return keys.length > 0 && `${document.querySelectorAll(".moves > li").length} ${document.querySelectorAll(".chosen").length} ${keys.join()}` !== before;
  }, version, { polling: 20, timeout: 30000 });
}
