import { expect, test } from "vitest";
import type { Plan, Unmanaged } from "../../../src/model/plan.ts";
import type { View } from "../../../src/report/document/document.ts";
import { datasetNamed } from "../../support/states.ts";
import { planOf } from "../plans.ts";
import { printed } from "../print.ts";

const git = { commit: null, dirty: false, base: "0123456789ab" };

/** So many values: on each dataset two tags and one tag of a column. */
function planWith(number: number): Plan {
  const unmanaged = Array.from({ length: number }, (_, index): Unmanaged => {
    const at = { urn: datasetNamed(`d${Math.floor(index / 3)}`), kind: "Dataset" };
    const value = `urn:li:tag:t${index}`;
    if (index % 3 === 2) return { ...at, facet: "columns.tags", path: ["email"], value, reason: "ingested" };
    return { ...at, facet: "tags", value, reason: index % 3 === 0 ? "other-writer" : "no-longer-declared" };
  });
  return planOf({ git, unmanaged });
}

function textOf(plan: Plan, unmanaged?: View["unmanaged"]): string {
  return printed({ plan }, "text", { unmanaged });
}

test("up to 20 values that are not managed are listed", () => {
  const text = textOf(planWith(20));
  expect(text).toBe(textOf(planWith(20), "all"));
  expect(text).toContain(`Not managed, will not change:
  Dataset urn:li:dataset:(urn:li:dataPlatform:snowflake,d0,PROD)
    tags: urn:li:tag:t0  (not declared)
    tags: urn:li:tag:t1  (no longer declared)
    columns.tags email: urn:li:tag:t2  (set by ingestion)
`);
});

// What is known of a value, and what is said of it.
test.each<readonly [Partial<Unmanaged>, string]>([
  [{}, "(not declared)"],
  [{ actor: "urn:li:corpuser:bob" }, "(not declared; added by urn:li:corpuser:bob)"],
  [
    { actor: "urn:li:corpuser:ada", time: "2026-01-02T23:59:59.999Z" },
    "(not declared; added by Ada (urn:li:corpuser:ada) on 2026-01-02)",
  ],
  [
    { actor: "urn:li:corpuser:ada", time: "2026-01-02T00:00:00.000Z", lastWriterOfAspect: true },
    "(not declared; last edited by Ada (urn:li:corpuser:ada) on 2026-01-02)",
  ],
  [
    { actor: "urn:li:corpuser:bob", facet: "description", kind: "Tag" },
    "(not declared; set by urn:li:corpuser:bob)",
  ],
  [{ actor: "urn:li:corpuser:__datahub_system" }, "(not declared)"],
  [{ actor: "urn:li:corpuser:datahub", lastWriterOfAspect: true }, "(not declared)"],
  [{ actor: "urn:li:corpuser:datahub" }, "(not declared; added by urn:li:corpuser:datahub)"],
])("of a value with %j it is said %s", (known, said) => {
  const value = { urn: datasetNamed("d"), kind: "Dataset", facet: "tags", value: "urn:li:tag:t" };
  const unmanaged: readonly Unmanaged[] = [{ ...value, reason: "other-writer", ...known }];
  const plan = planOf({ git, unmanaged, names: { "urn:li:corpuser:ada": "Ada" } });
  expect(textOf(plan)).toContain(`urn:li:tag:t  ${said}\n`);
  expect(printed({ plan }, "markdown")).toContain(`urn:li:tag:t  ${said}\n`);
});

test("more than 20 values are counted by facet and reason, and the flag that lists them is named", () => {
  expect(textOf(planWith(21)))
    .toContain(`\n\nNot managed, will not change: 21 values of 7 entities  (--show-unmanaged lists them)
    tags: 7 not declared, 7 no longer declared
    columns.tags: 7 set by ingestion

7 values are no longer declared and stay in the catalog. `);
});

test("without a base the counts say that it is unknown what was declared before", () => {
  expect(textOf({ ...planWith(21), git: { ...git, base: null } })).toContain(
    "Not managed, will not change (without a base, it is unknown what was declared before): 21 values of",
  );
});

test("all of many values are listed where that is asked for", () => {
  expect(textOf(planWith(21), "all").match(/urn:li:tag:/g)).toHaveLength(21);
});

test("none of them is mentioned where they are not wanted", () => {
  for (const number of [3, 21]) {
    expect(textOf(planWith(number), "none")).toMatch(/^Server: .*\n\nNo changes\. 0 entities in sync\.\n$/);
    expect(printed({ plan: planWith(number) }, "markdown", { unmanaged: "none" })).not.toContain(
      "Not managed",
    );
  }
});

test("Markdown folds all of them, also many", () => {
  const text = printed({ plan: planWith(21) }, "markdown");
  expect(text).toContain("<details>\n<summary>Not managed, will not change: 21 values</summary>");
  expect(text.match(/urn:li:tag:/g)).toHaveLength(21);
});
