import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "playwright-core";
import type { Result } from "../../src/report/document/document.ts";
import { check, coveragePage, drift, planByRules, report, smallPlan } from "../report/page/samples.ts";
import { printed } from "../report/print.ts";
import { openBrowser, openText } from "./browser.ts";

const folder = process.argv[2] ?? "docs/pictures";

const pages: readonly (readonly [string, string])[] = [
  ["plan", pageOf({ plan: smallPlan })],
  ["plan-by-rules", pageOf({ plan: planByRules(3000) })],
  ["drift", pageOf({ drift })],
  ["coverage", coveragePage],
  ["check", pageOf({ check })],
  ["report", pageOf({ report })],
  ["error", pageOf({ failure: { code: "unreachable", message: "the server does not answer" } })],
];

function pageOf(result: Result): string {
  return printed(result, "html");
}

const wide = { width: 1200, height: 1000 };
const looks: readonly (readonly [string, BrowserContextOptions, "screen" | "print"])[] = [
  ["", { colorScheme: "light", viewport: wide }, "screen"],
  ["-dark", { colorScheme: "dark", viewport: wide }, "screen"],
  ["-narrow", { colorScheme: "light", viewport: { width: 360, height: 800 } }, "screen"],
  ["-print", { colorScheme: "dark", viewport: wide }, "print"],
];

/** Takes a picture of each page in each look; without a folder only those that the documentation shows. */
async function takePictures(browser: Browser): Promise<void> {
  const isForDocs = process.argv[2] === undefined;
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of isForDocs ? pages.slice(0, 4) : pages) {
    for (const [look, options, media] of isForDocs ? looks.slice(0, 1) : looks) {
      const { page } = await openText(browser, text, options);
      if (text.includes('id="filters"')) await page.locator("#filters:not([hidden])").waitFor();
      await page.emulateMedia({ media });
      await page.screenshot({ path: join(folder, `${name}${look}.png`), fullPage: !isForDocs });
      await page.context().close();
    }
  }
}

const browser = await openBrowser();
await takePictures(browser).finally(() => browser.close());
