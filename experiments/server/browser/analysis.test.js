// Analysis, the editor, the review of a game and the runs, on a desktop and on a phone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startServer } from "./server.js";
import { DESKTOP, PHONE, openBrowser, openTab, picture } from "./tab.js";

const WHOLE = Boolean(process.env.WHOLE);

/** @type {any} */ let server;
/** @type {any} */ let browser;
before(async () => {
  server = await startServer();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  server?.stop();
});

/** The quick selection has each check at one width. */
const both = (/** @type {string} */ width, /** @type {string} */ quick) => WHOLE || width === quick;

for (const [width, size] of /** @type {const} */ ([["desktop", DESKTOP], ["phone", PHONE]])) {
  test(`${width}: a bot's candidates, its line stepped through, a branch, a link`, { skip: !both(width, "phone") }, async (t) => {
    const { tab, quiet, close } = await openTab(browser, server.base, size, "analyse");
    t.after(close);
    await tab.getByRole("button", { name: "Begin", exact: true }).click();
    for (const color of ["blue", "yellow", "red", "black", "white"]) for (let i = 0; i < 4; i++) await tab.getByRole("button", { name: color, exact: true }).click();
    await tab.getByRole("button", { name: "Deal these 20" }).click();
    await tab.getByRole("button", { name: "take 4 blue from factory 1" }).waitFor();
    await tab.getByLabel("Time to analyse").selectOption("5000");
    await tab.keyboard.press("Space");
    await tab.getByText(/simulations.*finished/).waitFor({ timeout: 30000 });
    const candidates = tab.locator(".candidate");
    // A program that was built without optimization, on a busy machine, searches little in five seconds.
    assert.ok((await candidates.count()) >= 2, "only one candidate");
    assert.match(await candidates.first().innerText(), /\d+ %/);
    await tab.locator(".arrow.head.best").waitFor({ state: "attached" });
    await picture(tab, `analysis-${width}`);
    await candidates.first().locator(".line-move").nth(1).click();
    await tab.getByText("4 / 4").waitFor();
    await tab.keyboard.press("ArrowUp");
    await tab.keyboard.press("ArrowRight");
    await tab.getByText("1 / 4").waitFor();
    await tab.getByRole("button", { name: "take 4 white from factory 5", exact: true }).click();
    await tab.getByRole("button", { name: "floor", exact: false }).first().click();
    await tab.keyboard.press("ArrowLeft");
    await tab.getByText("From here:").waitFor();
    await tab.getByRole("button", { name: "Copy link" }).click();
    await tab.getByText(/^Link copied/).waitFor();
    const link = await tab.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /#\/analyse\/./);
    await quiet();
  });

  test(`${width}: a position set up by clicks is completed, refused in words, and analysed`, { skip: !both(width, "desktop") }, async (t) => {
    const { tab, quiet, close } = await openTab(browser, server.base, size, "edit");
    t.after(close);
    await tab.getByRole("button", { name: "factory 1, 0 tiles" }).waitFor();
    const choose = (/** @type {string} */ color) => tab.getByRole("group", { name: "Tiles" }).getByRole("button", { name: color, exact: true }).click();
    const lay = async (/** @type {string} */ color, /** @type {RegExp | string} */ where) => {
      await choose(color);
      await tab.getByRole("button", { name: where }).first().click();
    };
    await choose("red");
    for (let i = 0; i < 4; i++) await tab.getByRole("group", { name: "factory 1", exact: true }).click();
    await lay("blue", /^line 3, empty/);
    await lay("blue", "wall row 1 column 1");
    await tab.getByText("This position can be played.").waitFor();
    await picture(tab, `editor-${width}`);
    await lay("blue", /^line 1, empty/);
    await tab.locator(".panel .error").waitFor();
    assert.match(await tab.locator(".panel .error").innerText(), /line|wall|row/);
    await tab.getByRole("button", { name: "Undo", exact: true }).click();
    await tab.getByText("This position can be played.").waitFor();
    await tab.getByRole("button", { name: "Analyse", exact: true }).click();
    await tab.getByRole("button", { name: "take 4 red from factory 1" }).waitFor();
    await quiet();
  });

  test(`${width}: a game of a run is reviewed and its worst move found`, { skip: !both(width, "desktop"), timeout: 240000 }, async (t) => {
    const { tab, quiet, close } = await openTab(browser, server.base, size, "runs");
    t.after(close);
    await tab.getByRole("link", { name: "first" }).click();
    await tab.getByRole("button", { name: "Review" }).first().click();
    await tab.getByRole("button", { name: "Review again" }).waitFor({ timeout: 200000 });
    const marks = tab.locator(".moves .mark");
    assert.ok((await marks.count()) > 0, "bots that play at random made no mistake");
    await tab.locator(".summary .token").first().click();
    await tab.getByText(/^Better:/).waitFor();
    // On a phone the line is folded up.
    assert.match((await tab.locator(".line-move .words").first().textContent()) ?? "", /^(take|the factories)/);
    assert.match(await tab.locator(".verdict").innerText(), /lost \d+ % and [\d.]+ points/);
    await picture(tab, `review-${width}`);
    const kind = tab.locator(".kind-row").first();
    const named = (await kind.locator(".kind").innerText()).trim();
    assert.match(named, /\S+ → \S+/);
    await kind.click();
    await tab.waitForFunction((text) => document.querySelector(".verdict .kind")?.textContent?.trim() === text, named);
    const before = await tab.locator(".step").innerText();
    await tab.locator(".better").click();
    await tab.waitForFunction((text) => document.querySelector(".step")?.textContent !== text, before);
    await quiet();
  });
}
