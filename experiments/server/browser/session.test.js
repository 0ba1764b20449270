// What belongs to a game in play: names for a screen reader, undo, hint, the game kept over a reload, settings.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startServer } from "./server.js";
import { DESKTOP, PHONE, openBrowser, openTab } from "./tab.js";
import { beginGame } from "./player.js";

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

test("two clicks play a move; undo takes it back; a reload finds the game again", async (t) => {
  const { tab, quiet, close } = await openTab(browser, server.base, DESKTOP);
  t.after(close);
  await beginGame(tab, "Azul", 2);
  await tab.getByRole("button", { name: /^take \d \w+ from factory \d$/ }).first().click();
  await tab.getByRole("button", { name: /^line 5/ }).click();
  const undo = tab.getByRole("button", { name: /^Undo/ });
  await tab.waitForFunction(() => document.querySelectorAll(".moves > li:not(.round-head)").length >= 3);
  const played = await tab.locator(".moves > li:not(.round-head)").count();
  await tab.reload();
  await tab.waitForFunction((n) => document.querySelectorAll(".moves > li:not(.round-head)").length === n, played);
  await undo.click();
  await tab.waitForFunction(() => document.querySelectorAll(".moves > li:not(.round-head)").length === 1);
  if (server.root) {
    const folder = join(server.root, "played");
    assert.ok(existsSync(folder) && readdirSync(folder).some((file) => file.endsWith(".jsonl")), "no record on disk");
  }
  await quiet();
});

test("a hint names a move, its chance to win, and draws it", async (t) => {
  const { tab, quiet, close } = await openTab(browser, server.base, DESKTOP);
  t.after(close);
  await beginGame(tab, "Azul", 2);
  await tab.getByRole("button", { name: /^take/ }).first().waitFor();
  await tab.keyboard.press("h");
  await tab.locator(".hint").waitFor({ timeout: 20000 });
  assert.match(await tab.locator(".hint").innerText(), /take|Take/);
  await tab.locator(".arrow.head.best").waitFor({ state: "attached" });
  await quiet();
});

test("rules, keys and settings are one click away; dark colors are kept", async (t) => {
  const { tab, quiet, close } = await openTab(browser, server.base, PHONE);
  t.after(close);
  await tab.getByRole("button", { name: "Rules, keys and settings" }).click();
  await tab.getByRole("dialog").getByText("Azul", { exact: true }).click();
  await tab.getByLabel("Colors of the page").selectOption("dark");
  await tab.reload();
  assert.equal(await tab.evaluate(() => document.documentElement.dataset.theme), "dark");
  await quiet();
});
