import { source } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { printed } from "../report/print.ts";
import {
  check,
  coveragePage,
  drift,
  hostilePlan,
  hostileTexts,
  largePlan,
  planByRules,
  report,
  smallPlan,
} from "../report/page/samples.ts";
import { openBrowser, openText } from "./browser.ts";

const pages: readonly (readonly [string, string])[] = [
  ["plan", printed({ plan: smallPlan }, "html")],
  ["rules", printed({ plan: planByRules(60) }, "html")],
  ["drift", printed({ drift }, "html")],
  ["check", printed({ check }, "html")],
  ["report", printed({ report }, "html")],
  ["error", printed({ failure: { code: "unreachable", message: "the server does not answer" } }, "html")],
  ["coverage", coveragePage],
];

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

/** Waits until the list of changes can be searched. */
async function ready(page: Page): Promise<void> {
  await page.locator("#filters:not([hidden])").waitFor();
}

async function shown(page: Page): Promise<string> {
  return (await page.locator("#filters output").textContent()) ?? "";
}

async function findingsOfAxe(page: Page): Promise<readonly string[]> {
  await page.evaluate(source);
  return await page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      readonly axe: {
        run(options: object): Promise<{
          readonly violations: readonly {
            readonly id: string;
            readonly nodes: readonly { readonly html: string }[];
          }[];
        }>;
      };
    };
    const { violations } = await checker.run({
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

describe.each(pages)("the page of %s", (_, text) => {
  test("asks nothing of any server and has no complaint, with a script and without one", async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, complaints } = await openText(browser, text, { javaScriptEnabled });
      if (javaScriptEnabled && text.includes('id="filters"')) await ready(page);
      expect(complaints).toEqual([]);
      await page.context().close();
    }
  });

  test.each(["light", "dark"] as const)("has no finding of axe in the %s scheme", async (colorScheme) => {
    const { page } = await openText(browser, text, { colorScheme });
    if (text.includes('id="filters"')) await ready(page);
    for (const each of await page.locator("details").all())
      await each.evaluate((element) => element.setAttribute("open", ""));
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.context().close();
  });
});

test("without a script the verdict and the first 200 changes can be read", async () => {
  const { page } = await openText(browser, printed({ plan: largePlan(3000) }, "html"), {
    javaScriptEnabled: false,
  });

  await page.getByText("Plan: 0 to create, 3000 to update").waitFor();
  expect(await page.locator("#list article").count()).toBe(200);
  expect(await page.locator("#more").textContent()).toMatch(/the other\s+2,800\./);
  expect(await page.locator("#filters").isVisible()).toBe(false);
  await page.context().close();
});

test("a value that many share is one of the 200", async () => {
  const { page } = await openText(browser, printed({ plan: planByRules(3000) }, "html"), {
    javaScriptEnabled: false,
  });

  expect(await page.locator("#list article").count()).toBe(2);
  expect(await page.locator("#list article h3").allTextContents()).toEqual([
    expect.stringContaining("3,000 datasets"),
    expect.stringContaining("3,000 datasets"),
  ]);
  await page.context().close();
});

test("a page of 100,000 changes has less than 5 MB and finds one of them", async () => {
  const text = printed({ plan: largePlan(100_000) }, "html");
  expect(Buffer.byteLength(text)).toBeLessThan(5_000_000);

  const { page, complaints } = await openText(browser, text);
  await ready(page);
  await page.getByLabel("Search").fill("tag-99999");
  expect(await shown(page)).toBe("1 of 100,000 entries");
  expect(await page.locator("#list article").count()).toBe(1);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("of a long list only what is near is in the document, also after a scroll", async () => {
  const { page } = await openText(browser, printed({ plan: largePlan(20_000) }, "html"));
  await ready(page);

  expect(await page.locator("#list article").count()).toBeLessThan(400);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.getByText("tag-19999").first().waitFor();
  expect(await page.locator("#list article").count()).toBeLessThan(600);
  await page.context().close();
});

test("filters are kept in the address", async () => {
  const { page } = await openText(browser, printed({ plan: smallPlan }, "html"));
  await ready(page);
  await page.getByLabel("Search").fill("ledger");
  await page.getByLabel("Group by").selectOption("field");
  const found = await shown(page);
  const address = page.url();

  expect(address).toMatch(/#search=ledger&group=field$/);
  const { page: again } = await openText(browser, printed({ plan: smallPlan }, "html"), {
    fragment: new URL(address).hash,
  });
  await ready(again);
  expect(await shown(again)).toBe(found);
  expect(await again.getByLabel("Search").inputValue()).toBe("ledger");
  await page.context().close();
  await again.context().close();
});

test("the verdicts of a check are searched, filtered and grouped", async () => {
  const { page, complaints } = await openText(browser, printed({ check }, "html"));
  await ready(page);
  expect(await page.locator("#list h3.group").allTextContents()).toEqual([
    "Introduced: the manifests cause the violation 1",
    "Existing: already violated 8",
  ]);
  await page.getByLabel("Search").fill("salaries");
  await page.locator("select[name=class]").selectOption("existing");
  await page.locator("select[name=policy]").selectOption("owned");
  await page.getByLabel("Group by").selectOption("entity");

  expect(await shown(page)).toBe("1 of 9 entries");
  expect(await page.locator("#list h3.group").textContent()).toContain("prod.hr.salaries");
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("somebody with a keyboard alone finds a change, its entities, and the way back", async () => {
  const { page } = await openText(browser, printed({ plan: planByRules(3000) }, "html"));
  await ready(page);
  const focused = (): Promise<string> =>
    page.evaluate(() => document.activeElement?.textContent?.trim().slice(0, 40) ?? "");

  await page.keyboard.press("Tab");
  expect(await focused()).toBe("Skip to content");
  await page.keyboard.press("/");
  await page.keyboard.type("table_002999 confidential");
  expect(await shown(page)).toBe("1 of 2 entries");
  for (let presses = 0; presses < 20 && !(await focused()).startsWith("prod.finance.table_"); presses += 1)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await page.locator("#list .sharers li").first().textContent()).toContain("table_002999");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("href"))).toMatch(
    /^https:\/\/datahub\.acme\.com\/dataset\//,
  );
  await page.keyboard.press("/");
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  expect(await shown(page)).toBe("2 entries");
  await page.context().close();
});

test("names are text, whatever they contain", async () => {
  for (const result of [{ plan: hostilePlan }, { failure: { code: "x", message: hostileTexts[0] } }]) {
    const { page, complaints } = await openText(browser, printed(result, "html"));
    if ("plan" in result) {
      await ready(page);
      for (const text of hostileTexts.filter((each) => !each.includes("\u202E")))
        expect(await page.locator("#list article h3", { hasText: text }).count()).toBe(1);
      expect(await page.locator("#list").textContent()).toContain("gpj.\uFFFDexe\uFFFD");
      // Nothing makes the page wider than the window.
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    }
    expect(await page.title()).not.toBe("taken");
    expect(await page.locator("img").count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  }
});

test("on paper all is open that is folded on a screen, and afterwards it is folded again", async () => {
  const { page, complaints } = await openText(browser, printed({ plan: planByRules(3000) }, "html"));
  await ready(page);
  const folded = (): Promise<number> => page.locator("details:not([open])").count();
  const before = await folded();
  await page.evaluate(() => {
    window.addEventListener("beforeprint", () => {
      document.title = `${document.querySelectorAll("details:not([open])").length} folded`;
    });
  });
  await page.pdf();

  expect(before).toBeGreaterThan(0);
  expect(await page.title()).toBe("0 folded");
  expect(await folded()).toBe(before);
  expect(complaints).toEqual([]);
  await page.context().close();
});
