import { expect, test } from "vitest";
import type { Change } from "../../src/model/change.ts";
import { valueFrom } from "../../src/model/place.ts";
import type { Plan } from "../../src/model/plan.ts";
import { scalarOf, setOf } from "../../src/model/state.ts";
import { defaultLimits } from "../../src/plan/checks/guards/index.ts";
import { compareStates } from "../support/compare-states.ts";
import { digestOf, sealed } from "../../src/plan/base/hash.ts";
import { makePlan } from "../support/make-plan.ts";
import { defaultPolicy } from "../../src/plan/base/policy.ts";
import { parseSaved } from "../../src/report/saved/saved-report.ts";
import { savedPlan } from "../support/plan-file.ts";
import { datasetNamed, entityOf, header, liveOf, stateOf, urn } from "../support/states.ts";

const orders = datasetNamed("orders");
const columns = (...tags: readonly string[]) =>
  valueFrom([
    [["email"], setOf(tags)],
    [["id"], setOf([])],
  ]);
const desired = stateOf(
  entityOf("Tag", urn("urn:li:tag:a"), { name: scalarOf("a"), description: scalarOf("one") }),
  entityOf("Dataset", orders, { "columns.tags": columns("urn:li:tag:pii") }),
);
const live = liveOf(stateOf(entityOf("Dataset", orders, { "columns.tags": columns() })), desired);

/** A plan that creates a tag and tags a column, as it is saved. */
const saved = savedPlan(
  makePlan(
    {
      ...header,
      git: { commit: "b".repeat(40), dirty: false, base: null },
      scope: { directory: "catalog" },
    },
    compareStates(desired, live, defaultPolicy),
    defaultPolicy,
  ),
);

const edited = (from: string | RegExp, to: string): string => {
  const text = saved.replace(from, to);
  if (text === saved) throw new Error(`${from} is not in the plan`);
  return text;
};

/** The plan with an edit that somebody made on purpose, and sealed again. */
function forged(edit: (plan: Record<string, unknown>) => void): string {
  const { seal: _, ...plan } = JSON.parse(saved) as Record<string, unknown>;
  edit(plan);
  return JSON.stringify(sealed(plan));
}

const withPath = (index: number, path: readonly string[]): string =>
  forged((plan) => void Object.assign((plan["changes"] as object[])[index] ?? {}, { path }));

const invalid = { fault: "invalid" };

test.each<readonly [string, string, object]>([
  ["is cut off", saved.slice(0, 200), { fault: "no-json" }],
  ["is empty", "", { fault: "empty" }],
  ["is a manifest", "kind: Tag\nid: a\n", { fault: "no-json" }],
  ["is other JSON", "[]", { fault: "foreign" }],
  ["has no changes", '{ "formatVersion": "1" }', { fault: "foreign" }],
  [
    "is of another format version",
    edited('"formatVersion": "1"', '"formatVersion": "2"'),
    { fault: "other-version", found: '"2"', supported: "1" },
  ],
  ["has another value", edited('"one"', '"two"'), { fault: "edited" }],
  ["has another target", edited(/"target": "[^"]+"/, '"target": "http://b"'), { fault: "edited" }],
  ["has another summary", edited('"create": 1', '"create": 0'), { fault: "edited" }],
  ["has another commit", edited(/"commit": "\w+/, '"commit": "0000'), { fault: "edited" }],
  ["has another scope", edited('"directory": "catalog"', '"directory": "other"'), { fault: "edited" }],
  ["lacks its seal", edited(/,\n {2}"seal": "[^"]+"/, ""), invalid],
  [
    "was sealed again with another digest",
    forged((plan) => void (plan["digest"] = `sha256:${"0".repeat(64)}`)),
    { fault: "edited" },
  ],
  [
    "was sealed again with a change of another shape than its facet",
    forged((plan) => {
      const [change] = plan["changes"] as [Record<string, unknown>];
      Object.assign(change, { shape: "set", add: ["x"], remove: [] });
      delete change["before"];
      delete change["after"];
      plan["digest"] = "";
    }),
    invalid,
  ],
  ["was sealed again with the path of another column", withPath(2, ["id"]), { fault: "edited" }],
  ["was sealed again with a longer path", withPath(2, ["email", "id"]), { fault: "edited" }],
  ["was sealed again with the path of no column", withPath(0, ["email"]), { fault: "edited" }],
])("a saved plan that %s is refused", (_, text, fault) => {
  expect(parseSaved(text)).toMatchObject(fault);
});

test("a change of a column is saved with its path", () => {
  const { changes } = JSON.parse(saved) as { readonly changes: readonly Record<string, unknown>[] };

  expect(changes.map(({ facet, column, path }) => [facet, column, path])).toEqual([
    ["description", undefined, undefined],
    ["name", undefined, undefined],
    ["columns.tags", "email", ["email"]],
  ]);
});

test("an older plan, which has all limits, no path and no count of what is held back, reads as a plan of today", () => {
  const read = parseSaved(saved);
  const older = parseSaved(
    forged((plan) => {
      const { heldBack: _, ...summary } = plan["summary"] as Record<string, number>;
      const changes = (plan["changes"] as readonly Change[]).map(({ path: _path, ...change }) => change);
      Object.assign(plan, { limits: defaultLimits, summary, changes });
      plan["digest"] = digestOf(plan as unknown as Plan);
    }),
  );

  if (!("plan" in read) || !("plan" in older)) throw new Error(JSON.stringify({ read, older }));
  const { digest } = older.plan;
  expect(older.plan).toEqual({ ...read.plan, limits: defaultLimits, digest });
});
