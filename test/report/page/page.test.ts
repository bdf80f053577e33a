import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { unpacked } from "../../../src/page/unpack.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Result } from "../../../src/report/document/document.ts";
import type { PageEntry } from "../../../src/report/html/page-entry.ts";
import { packedParts } from "../../../src/report/html/pack.ts";
import { hostilePlans } from "../hostile.ts";
import { checkOf, planOf, violation } from "../plans.ts";
import { printed } from "../print.ts";
import { urn } from "../../support/states.ts";
import { check, drift, largePlan, manyPolicies, planByRules, smallPlan } from "./samples.ts";

const dataPattern = /<script type="application\/octet-stream">([A-Za-z0-9+/=]*)<\/script>/g;

/** The entries that a page has for its script. */
async function entriesIn(page: string): Promise<readonly PageEntry[]> {
  return await unpacked(Array.from(page.matchAll(dataPattern), ([, packed = ""]) => packed));
}

function elementIn(page: string, name: "script" | "style"): string {
  return new RegExp(`<${name}>([^]*?)</${name}>`).exec(page)?.[1] ?? "";
}

test.each(["script", "style"] as const)("the policy allows the %s of the page by its hash", (name) => {
  const page = printed({ plan: smallPlan }, "html");
  const text = elementIn(page, name);

  expect(text).not.toBe("");
  expect(page).toContain(`${name}-src 'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  expect(page).toContain("default-src 'none'");
});

test("a page names no address but those of the catalog and the repository", () => {
  const fileOf = (): string => "https://github.com/acme/catalog/blob/main/catalog/finance.yaml";
  const page = printed({ plan: smallPlan }, "html", { fileOf });
  const addresses = new Set(page.match(/https?:\/\/[\w.-]+/g));
  // The name space of MathML and SVG in lit-html is no address.
  addresses.delete("http://www.w3.org");

  expect([...addresses].toSorted()).toEqual(["https://datahub.acme.com", "https://github.com"]);
});

test("entries link to their pages and to their lines in the repository", async () => {
  const fileOf = ({ file, line }: { readonly file: string; readonly line: number }): string =>
    `https://x/${file}#L${line}`;
  const [first] = await entriesIn(printed({ plan: smallPlan }, "html", { fileOf }));

  expect(first?.page).toMatch(/^https:\/\/datahub\.acme\.com\/dataset\/urn%3Ali/);
  expect(first?.edits[0]?.file).toBe("https://x/catalog/finance.yaml#L14");
});

test("the last line of the text is in the page", () => {
  for (const result of [{ plan: smallPlan }, { drift }] as const) {
    const verdict = printed(result, "text").trimEnd().split("\n").at(-1) ?? "";
    expect(printed(result, "html")).toContain(`<p class="verdict"><bdi>${verdict}</bdi></p>`);
  }
});

test.each([
  ["Failed", { failure: { code: "unreachable", message: "no server" } }],
  ["Not valid", { problems: [{ code: "empty-rule", severity: "error", args: { rule: "a", fields: [] } }] }],
  ["Valid", { problems: [] }],
  ["Blocked", { plan: smallPlan }],
  ["Pending changes", { plan: planByRules(6) }],
  ["In sync", { plan: planOf() }],
  ["Differs", { drift }],
  ["Passed", { check: checkOf({}) }],
  ["Failed", { check: checkOf({ introduced: [violation] }) }],
  ["Unknown", { check: checkOf({ unknown: [violation] }) }],
  ["Applied", { report: { plan: planOf(), outcomes: [] } }],
] as readonly (readonly [string, Result])[])("a page says %s in its heading", (word, result) => {
  expect(printed(result, "html")).toContain(`<span class="badge status">${word}</span>`);
});

test("changes and violations come before numbers", () => {
  const headsOf = (result: Result): readonly string[] =>
    Array.from(printed(result, "html").matchAll(/<h2>\s*([\w, -]+?)\s*</g), ([, head = ""]) => head);

  expect(headsOf({ plan: { ...smallPlan, ...manyPolicies } })).toEqual([
    "Blocked",
    "New violations",
    "What these policies are for, and how to waive violations",
    "Deleted or removed",
    "Changes",
    "Values by field",
    "Policies",
    "Non-blocking findings",
    "Warnings",
    "Not managed, will not change",
  ]);
  expect(headsOf({ check })).toEqual([
    "Failed",
    "What these policies are for, and how to waive violations",
    "Policies",
    "Verdicts",
  ]);
});

test("the verdicts of a check link to their entities and to what they come from", async () => {
  const fileOf = ({ file, line }: { readonly file: string; readonly line: number }): string =>
    `https://x/${file}#L${line}`;
  const [first, second] = await entriesIn(
    printed({ check: { ...check, links: "https://datahub.acme.com" } }, "html", { fileOf }),
  );

  expect(first).toMatchObject({ action: "introduced", title: "orders", policy: "not-one-person" });
  expect(first?.page).toMatch(/^https:\/\/datahub\.acme\.com\/dataset\/urn%3Ali/);
  expect(second?.edits).toMatchObject([
    { notes: ["has no owners of type DATA_STEWARD"], file: "https://x/catalog/policies.yaml#L1" },
  ]);
});

test("a deletion says what comes of it, in the list of changes and among what is removed", async () => {
  const deletion: Change = {
    action: "delete",
    shape: "entity",
    kind: "StructuredProperty",
    urn: urn("urn:li:structuredProperty:old"),
    fingerprint: "",
    assignments: 3,
  };
  const page = printed({ plan: planOf({ changes: [deletion] }) }, "html");
  const [entry] = await entriesIn(page);
  const [, note = ""] =
    /  (also hides .*)/.exec(printed({ plan: planOf({ changes: [deletion] }) }, "markdown")) ?? [];

  expect(entry?.edits[0]?.notes).toEqual([expect.stringContaining("can be declared again")]);
  expect(note).toContain("can be declared again");
  expect(page.match(/<td>[^]*?can be declared again/)).not.toBeNull();
});

test("all entries are packed, and the first 200 are in the text", async () => {
  const page = printed({ plan: largePlan(250) }, "html");

  expect(await entriesIn(page)).toHaveLength(250);
  expect(page.match(/<article class="entry update"/g)).toHaveLength(200);
  expect(page).toMatch(/the other\s+50\./);
});

test("what is packed in several parts is unpacked in its order", async () => {
  const items = Array.from({ length: 25_000 }, (_, index) => ({ index, text: "ä\u202E</script>" }));

  expect(await unpacked([...packedParts(items)])).toEqual(items);
});

test("no text becomes an element, whatever it contains", () => {
  const shape = (page: string): readonly string[] =>
    page.replace(elementIn(page, "script"), "").match(/<\/?(?:script|img|style|iframe|svg|b)\b/gi) ?? [];
  fc.assert(
    fc.property(hostilePlans, (those) => {
      const plan = { ...those, links: "https://datahub.acme.com" };
      for (const result of [{ plan }, { drift: plan }, { problems: plan.problems ?? [] }]) {
        const page = printed(result, "html");
        const elements = shape(page).filter((each) => !/svg|<\/?b$/i.test(each));
        expect(elements.filter((each) => /script/i.test(each)).length).toBeLessThanOrEqual(4);
        expect(elements.filter((each) => !/script|style/i.test(each))).toEqual([]);
        expect(page).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u061C]/);
      }
    }),
    { numRuns: 30 },
  );
});

test("entries are grouped by owners who stay, too", async () => {
  const entries = await entriesIn(printed({ plan: smallPlan }, "html"));
  const orders = entries.find(({ title }) => title === "prod.sales.orders");

  // He is an owner by ingestion, and no change is about him.
  expect(orders?.teams).toEqual(["Bob Ray"]);
});
