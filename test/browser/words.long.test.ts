import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  check,
  coveragePage,
  drift,
  manyPolicies,
  planByRules,
  report,
  smallPlan,
} from "../report/page/samples.ts";
import { printed } from "../report/print.ts";
import { openBrowser, openText } from "./browser.ts";

const pages: readonly (readonly [string, string])[] = [
  ["plan", printed({ plan: { ...smallPlan, ...manyPolicies } }, "html")],
  ["rules", printed({ plan: planByRules(60) }, "html")],
  ["drift", printed({ drift: { ...drift, ...manyPolicies } }, "html")],
  ["check", printed({ check }, "html")],
  ["report", printed({ report }, "html")],
  ["coverage", coveragePage],
];

const widths = [360, 390, 480, 640, 768, 900, 1024, 1280, 1920];

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

interface Measured {
  /** Words on several lines that would fit on one. */
  readonly broken: readonly string[];
  /** Whether the page is wider than the window. */
  readonly isTooWide: boolean;
}

/** Measures all text that is seen. A line may end after a hyphen. */
async function measured(page: Page): Promise<Measured> {
  return await page.evaluate(() => {
    const longest = Math.min(380, window.innerWidth * 0.7);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    const range = document.createRange();
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      // For screen readers only.
      if (text.parentElement?.closest("caption")) continue;
      for (const { 0: word, index } of (text.nodeValue ?? "").matchAll(/[^\s-]+-*/g)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = Array.from(range.getClientRects()).filter(({ width }) => width > 0);
        const width = lines.reduce((sum, line) => sum + line.width, 0);
        if (new Set(lines.map(({ top }) => top)).size > 1 && width < longest) broken.push(word);
      }
    }
    return { broken, isTooWide: document.documentElement.scrollWidth > window.innerWidth };
  });
}

test.each(pages)(
  "the page of %s breaks no word that fits, and is nowhere wider than the window",
  async (_, text) => {
    const { page } = await openText(browser, text);
    if (text.includes('id="filters"')) await page.locator("#filters:not([hidden])").waitFor();
    for (const each of await page.locator("details").all())
      await each.evaluate((element) => element.setAttribute("open", ""));

    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      expect({ width, ...(await measured(page)) }).toEqual({ width, broken: [], isTooWide: false });
    }
    await page.context().close();
  },
);
