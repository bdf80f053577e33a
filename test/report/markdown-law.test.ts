import fc from "fast-check";
import { marked, type Token, type Tokens } from "marked";
import { expect, test } from "vitest";
import { operationsOf } from "../../src/plan/order/operations.ts";
import { reviewMarkdown } from "../../src/report/github/review.ts";
import { hostile, hostileDrift, hostilePlans, hostileProblems, hostileRun } from "./hostile.ts";
import { printed } from "./print.ts";
import { counted, runsOf } from "../support/runs.ts";

const runs = { numRuns: runsOf(80) };

test("whatever a plan holds, its Markdown has our structure and no other", counted, () => {
  fc.assert(
    fc.property(hostilePlans, (plan) => expectOurStructure(printed({ plan }, "markdown"))),
    runs,
  );
});

test("whatever a plan holds, a comment about it has our structure and no other", counted, () => {
  fc.assert(
    fc.property(hostilePlans, (plan) => expectOurStructure(reviewMarkdown([{ plan }], {}))),
    runs,
  );
});

test("whatever differs, the Markdown of drift has our structure and no other", counted, () => {
  fc.assert(
    fc.property(hostileDrift, (plan) => expectOurStructure(printed({ drift: plan }, "markdown"))),
    runs,
  );
});

test("whatever went wrong, the Markdown of a report has our structure and no other", counted, () => {
  fc.assert(
    fc.property(hostilePlans, hostile, (plan, error) => {
      const outcomes = operationsOf({ changes: plan.changes.filter(({ facet }) => facet !== undefined) }).map(
        (operation) => ({ status: "failed", operation, error }) as const,
      );
      expectOurStructure(printed({ report: { plan, outcomes, run: hostileRun(error) } }, "markdown"));
    }),
    runs,
  );
});

test(
  "whatever is wrong with manifests, the Markdown of the problems has our structure and no other",
  counted,
  () => {
    fc.assert(
      fc.property(fc.array(hostileProblems, { maxLength: 5 }), (those) =>
        expectOurStructure(printed({ problems: those }, "markdown")),
      ),
      runs,
    );
  },
);

const ours = ["<details>", "</details>", "<summary>", "</summary>", "<b>", "</b>", "<sub>", "</sub>"];
const ourBlocks = new Set(["heading", "paragraph", "list", "list_item", "code", "html", "space"]);
const ourInlines = new Set(["text", "strong", "codespan", "escape", "html"]);

/** Only the blocks that we write, none of them open; no link, image or markup from within; nobody is mentioned. */
function expectOurStructure(text: string): void {
  expect(text.length).toBeLessThanOrEqual(1_048_576);
  expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Surrogate}|[\u061C\u202A-\u202E\u2066-\u2069]/u);
  const tokens = marked.lexer(text);
  const depth = depthsOf(tokens);
  expect({ least: Math.min(0, ...depth), end: depth.at(-1) ?? 0 }).toEqual({ least: 0, end: 0 });
  void marked.walkTokens(tokens, expectOurs);
  const shown = (marked.parser(tokens) as string).replaceAll(/<(code|pre)\b[^>]*>[\s\S]*?<\/\1>/g, "");
  expect(shown.replaceAll(/<\/?(?:h[34]|p|ul|li|strong|details|summary|b|sub)>/g, "")).not.toContain("<");
  expect(decoded(shown)).not.toMatch(/@[a-z0-9]|#\d|GH-\d|:\/\/|www\./i);
}

function depthsOf(tokens: readonly Token[]): readonly number[] {
  let depth = 0;
  return tokens.flatMap((token) => {
    if (token.type !== "html") return [];
    depth += token.raw.split("<details>").length - token.raw.split("</details>").length;
    return [depth];
  });
}

function expectOurs(token: Token): void {
  expect([...ourBlocks, ...ourInlines]).toContain(token.type);
  if (token.type === "html")
    expect(token.raw.replaceAll(new RegExp(ours.join("|"), "g"), "")).not.toMatch(/[<>]/);
  if (token.type === "code") {
    expect((token as Tokens.Code).raw).toMatch(/^```diff\n[\s\S]*\n```\n*$/);
    for (const line of (token as Tokens.Code).text.split("\n"))
      expect(line).toMatch(/^(?:[-+!] |@@ | {2}\w)/);
  }
}

/** Numeric and basic entities as what they stand for, as a page's text has them. */
function decoded(html: string): string {
  const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };
  return html.replaceAll(/&(?:#(\d+)|(\w+));/g, (whole: string, number?: string, name = "") =>
    number === undefined ? (named[name] ?? whole) : String.fromCodePoint(Number(number)),
  );
}
