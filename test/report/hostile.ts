import fc from "fast-check";
import { type Change, driftClasses } from "../../src/model/change.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { PlanProblem } from "../../src/model/problem.ts";
import type { Run } from "../../src/model/report.ts";
import type { Urn } from "../../src/model/urn.ts";
import { anyCharacter } from "../support/any-text.ts";
import { argOf } from "../support/problem-args.ts";
import { planOf } from "./plans.ts";

const pieces = [
  ..."` `` ``` ```` ~~~ | \\ \\` &#64; &lt; < > [ ] ( ) ! * ** _ # - + = : $ $$ @ & \" '".split(" "),
  ..."<!-- --> <b> </b> </details> <details> </summary> <script> <![CDATA[ <? </sub> <a@b.c> <http://a.b>".split(
    " ",
  ),
  ..."@acme/team @bob #123 GH-12 acme/x#1 www.acme.com https://acme.com/issues/1 bob@acme.com ![a](b)".split(
    " ",
  ),
  ..."[a](http://b) [^1] ### --- === ```diff \n \n\n \r \r\n \t \u2028 \u0000 \u001B[2J \u202E \u061C".split(
    " ",
  ),
  ..."\uD83D \uDE00 🦆 名前 e\u0301 \u200B \u0085 ##[error] ::error::".split(" "),
  " ",
  "    ",
  "\n- * 1. > # a\n| a | b |\n| - | - |\n",
  "[a]: b",
  "x".repeat(700),
  "`".repeat(400),
  "𝒳".repeat(400),
];

/** Texts of what has a meaning in Markdown, HTML or on GitHub, in any order. */
export const hostile = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join("")),
  },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 30 }) },
);
const urns = hostile.map((text) => `urn:li:tag:${text}` as Urn);
const values = fc.oneof(hostile, urns);

const removed = fc.record({
  value: values,
  declaredBefore: fc.constantFrom(true, false, null),
  actor: hostile,
  time: hostile,
});
const source = fc.record({ file: hostile, line: fc.integer({ min: 1 }), column: fc.integer({ min: 1 }) });
const base = {
  kind: fc.constantFrom("Tag" as const, "Dataset" as const),
  urn: urns,
  source,
  fingerprint: fc.constant(""),
};
const update = fc.constant("update" as const);

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    ...base,
    shape: fc.constant("entity" as const),
    action: fc.constantFrom("create" as const, "delete" as const),
    assignments: fc.nat(),
  }),
  fc
    .record({
      ...base,
      shape: fc.constant("set" as const),
      action: update,
      facet: fc.constant("columns.tags"),
      column: hostile,
      add: fc.array(values, { maxLength: 3 }),
      removed: fc.array(removed, { maxLength: 3 }),
    })
    .map((change) => ({ ...change, remove: change.removed.map(({ value }) => value) })),
  ...(
    [
      ["Tag", "description"],
      ["Dataset", "domain"],
    ] as const
  ).map(([kind, facet]) =>
    fc.record(
      {
        ...base,
        kind: fc.constant(kind),
        shape: fc.constant("scalar" as const),
        action: update,
        facet: fc.constant(facet),
        removed: fc.array(removed, { maxLength: 1 }),
        before: fc.option(values),
        after: fc.option(values),
        conflict: fc.record({
          base: fc.option(values),
          live: fc.option(values),
          desired: fc.option(values),
        }),
      },
      {
        requiredKeys: ["shape", "kind", "urn", "source", "fingerprint", "action", "facet", "before", "after"],
      },
    ),
  ),
);
const anyProblem = {
  severity: fc.constantFrom("error" as const, "warning" as const),
  args: fc.record({
    urn: values,
    kind: hostile,
    column: hostile,
    reason: hostile,
    detail: hostile,
    suggestion: hostile,
    candidates: fc.array(hostile),
  }),
  origin: source,
  related: source,
};
// A blank line is shown without an excerpt, and a harmless text is never blank.
const savedLine = hostile.map((text) => `| ${text}`);
const requiredKeys: ("code" | "severity" | "args")[] = ["code", "severity", "args"];
/** Problems of hostile texts, also those that a saved plan holds. */
export const hostileProblems: fc.Arbitrary<PlanProblem> = fc.oneof(
  fc.record({ ...anyProblem, code: fc.constant("asset-missing" as const) }, { requiredKeys }),
  fc.record({ ...anyProblem, code: fc.constant("column-unknown" as const) }, { requiredKeys }),
  fc.record({ ...anyProblem, code: fc.constant("yaml-syntax" as const) }, { requiredKeys }),
  fc.record(
    { ...anyProblem, code: hostile, message: hostile, source: savedLine },
    { requiredKeys: [...requiredKeys, "message", "source"] },
  ),
);
/** Plans of hostile texts in every place. */
export const hostilePlans: fc.Arbitrary<Plan> = fc
  .record({
    changes: fc.array(changes, { maxLength: 6 }),
    problems: fc.array(hostileProblems, { maxLength: 3 }),
    target: hostile,
    tool: hostile,
    git: fc.record({ commit: fc.option(hostile), dirty: fc.boolean(), base: fc.option(hostile) }),
    findings: fc.array(
      fc.record({
        guard: fc.constantFrom("removals" as const, "missing" as const),
        severity: fc.constant("error" as const),
        facet: hostile,
        numbers: fc.constant({ removals: 1 }),
        flag: hostile,
        setting: hostile,
        changes: fc.constant([]),
      }),
      { maxLength: 2 },
    ),
    unmanaged: fc.array(
      fc.record({
        urn: urns,
        kind: fc.constant("Dataset" as const),
        facet: fc.constant("tags"),
        column: hostile,
        value: values,
        reason: fc.constant("ingested" as const),
        actor: hostile,
        time: hostile,
      }),
      { maxLength: 3 },
    ),
  })
  .chain((plan) => {
    const inProblems = plan.problems.map((problem) => String(argOf(problem, "urn")));
    const shown = [...[...plan.changes, ...plan.unmanaged].map(({ urn }) => urn), ...inProblems];
    const names = fc.array(hostile, { minLength: shown.length, maxLength: shown.length });
    return names.map((texts) =>
      planOf({ ...plan, names: Object.fromEntries(shown.map((urn, index) => [urn, texts[index] ?? ""])) }),
    );
  });

/** A run of which only its exit code is ours. */
export function hostileRun(words: string): Run {
  const approvedBy = { name: words, source: words };
  return { startedAt: words, endedAt: words, exitCode: 7, approval: "answer", approvedBy, stopped: words };
}

/** The same with a class in each change. */
export const hostileDrift: fc.Arbitrary<Plan> = hostilePlans.map((plan) => ({
  ...plan,
  changes: plan.changes.map((change, index): Change => ({
    ...change,
    class: driftClasses[index % driftClasses.length] ?? "changed",
  })),
}));
