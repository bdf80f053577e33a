import { expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { Finding, Plan } from "../../../src/model/plan.ts";
import type { Problem } from "../../../src/model/problem.ts";
import type { Outcome, Report } from "../../../src/model/report.ts";
import { scalarOf } from "../../../src/model/state.ts";
import { compareStates } from "../../support/compare-states.ts";
import { operationsOf } from "../../../src/plan/order/operations.ts";
import { makePlan } from "../../support/make-plan.ts";
import { defaultPolicy } from "../../../src/plan/base/policy.ts";
import { type AppliedScope, recordApplied } from "../../../src/workflow/scope/record-applied.ts";
import { temporaryDirectory } from "../../support/catalog.ts";
import { type TestRepository, testRepository } from "../../support/git-repository.ts";
import { tag } from "../../support/history.ts";
import { entityOf, header, liveOf, stateOf, urn } from "../../support/states.ts";

const ref = "refs/datahub-gitops/applied";
const commit = "c".repeat(40);

const declared = stateOf(
  entityOf("Tag", urn("urn:li:tag:a"), { name: scalarOf("a") }),
  entityOf("Tag", urn("urn:li:tag:b"), { name: scalarOf("b") }),
);

function planOf(more: Partial<Plan> = {}): Plan {
  const comparison = compareStates(declared, liveOf(new Map(), declared), defaultPolicy);
  return { ...makePlan(header, comparison, defaultPolicy), ...more };
}

const idle = planOf({ changes: [] });

/** The report of a plan of which every operation was applied. */
function appliedReport(plan: Plan, more: Partial<Report> = {}): Report {
  const outcomes = operationsOf(plan).map((operation): Outcome => ({ status: "applied", operation }));
  return { plan, outcomes, ...more };
}

/** A complete apply of a commit that follows the one that the ref names. */
const complete: AppliedScope = {
  repository: { cwd: "/nonexistent", directory: "catalog" },
  selection: {},
  git: { commit, dirty: false, base: null },
  baseRef: { name: ref, commit: "b".repeat(40) },
};

const failing: Outcome["status"][] = ["failed", "skipped", "stale"];
const [first] = operationsOf(planOf());
const outcomeOf = (status: Outcome["status"]): Outcome =>
  ({ status, operation: first, because: "because", error: "error" }) as Outcome;

const blocking = { guard: "deletes", severity: "error" } as Finding;
const violated = { guard: "policy", severity: "error" } as Finding;
const error = { code: "asset-missing", severity: "error" } as unknown as Problem;

/** The plan with a conflict at its first change. */
function inConflict(winner?: "live" | "desired"): Plan {
  const [change, ...others] = planOf().changes;
  const conflict = { base: "x", live: "y", desired: "a", ...(winner && { winner }) };
  return planOf({ changes: [{ ...change, conflict } as Change, ...others] });
}

test.each<readonly [string, Partial<AppliedScope>, Report, string]>([
  ["a server stopped the run", {}, appliedReport(planOf(), { stopped: "401" }), "failed"],
  ["the result was not read back", {}, appliedReport(planOf(), { unproved: "503" }), "failed"],
  ["a guard blocked the plan", {}, appliedReport(planOf({ findings: [blocking] })), "failed"],
  ["a policy stopped the plan", {}, appliedReport(planOf({ findings: [violated] })), "failed"],
  ["the plan has errors", {}, appliedReport(planOf({ problems: [error] })), "failed"],
  ["nothing was sent", {}, { plan: planOf(), outcomes: [] }, "failed"],
  ...failing.map(
    (status) =>
      [
        `an operation is ${status}`,
        {},
        appliedReport(planOf(), { outcomes: [outcomeOf("applied"), outcomeOf(status)] }),
        "failed",
      ] as const,
  ),
  ["some entities were selected", { selection: { targets: ["*"] } }, appliedReport(planOf()), "part"],
  ["some files were selected", { selection: { changedSince: "main" } }, appliedReport(planOf()), "part"],
  ["a shard was selected", { selection: { shard: { index: 1, of: 2 } } }, appliedReport(planOf()), "part"],
  ["a conflict is open", {}, appliedReport(inConflict()), "conflict"],
  ["a conflict was left to the live value", {}, appliedReport(inConflict("live")), "conflict"],
  [
    "there is no commit",
    { git: { commit: null, dirty: false, base: null } },
    appliedReport(planOf()),
    "no-commit",
  ],
  ["another commit is checked out", { head: "d".repeat(40) }, appliedReport(planOf()), "other-commit"],
  ["no commit is checked out", { head: null }, appliedReport(planOf()), "other-commit"],
  ["the work tree was dirty", { git: { commit, dirty: true, base: null } }, appliedReport(planOf()), "dirty"],
])("the ref stays where %s", async (_, scope, report, because) => {
  expect(await recordApplied({ ...complete, ...scope }, report)).toEqual({ ref, status: "kept", because });
});

test("git is asked last, and where it cannot tell whether the manifests differ, the ref stays", async () => {
  const scope = { ...complete, repository: { cwd: temporaryDirectory(), directory: "." }, head: commit };

  expect(await recordApplied(scope, appliedReport(inConflict("desired")))).toEqual({
    ref,
    status: "kept",
    because: "unknown",
  });
});

test("nothing is said of a part without changes", async () => {
  const scope = { ...complete, selection: { targets: ["*"] } };
  expect(await recordApplied(scope, appliedReport(idle))).toBeUndefined();
});

test.each([
  "refs/elsewhere/applied",
  "refs/heads/applied",
  "refs/tags/applied",
  "datahub-gitops/applied",
  "HEAD~1",
  `${ref}~1`,
  `${ref}^`,
  `${ref}@{1}`,
  "refs/datahub-gitops/runs",
])("a base %j is never moved", async (name) => {
  const scope = { ...complete, baseRef: { name, commit } };
  expect(await recordApplied(scope, appliedReport(planOf()))).toBeUndefined();
  expect(await recordApplied({ ...complete, baseRef: undefined }, appliedReport(planOf()))).toBeUndefined();
});

/** A repository with a commit, and the scope of its complete plan; `from` is what the ref names. */
function committed(
  from: string | null = null,
): TestRepository & { readonly scope: (more?: object) => AppliedScope } {
  const repository = testRepository();
  const head = repository.commit({ "catalog/a.yaml": tag("a"), "catalog/b/b.yaml": tag("b") });
  const scope = (more: object = {}): AppliedScope => ({
    repository: { cwd: repository.root, directory: "catalog" },
    selection: {},
    git: { commit: head, dirty: false, base: null },
    baseRef: { name: ref, commit: from },
    ...more,
  });
  return { ...repository, scope };
}

test("the ref is made, moves on to what was applied later, and not back or aside", async () => {
  const repository = committed();
  const scope = repository.scope();
  const { commit: head } = scope.git;

  expect(await recordApplied(scope, appliedReport(idle))).toEqual({
    ref,
    status: "moved",
    from: null,
    to: head,
  });
  const at = (to: string | null, from: string | null): AppliedScope =>
    repository.scope({ git: { commit: to, dirty: false, base: null }, baseRef: { name: ref, commit: from } });
  expect(await recordApplied(at(head, head), appliedReport(idle))).toEqual({ ref, status: "unchanged" });

  const next = repository.commit({ "README.md": "words" });
  expect(await recordApplied(at(next, head), appliedReport(planOf()))).toMatchObject({ status: "moved" });
  expect(repository.git("rev-parse", ref)).toBe(next);
  const kept = { ref, status: "kept", because: "not-forward", from: next, isOlder: false };
  expect(await recordApplied(at(head, next), appliedReport(planOf()))).toEqual(kept);
  const refused = await recordApplied(at(next, head), appliedReport(planOf()));
  expect(refused).toEqual({ ref, status: "refused", to: next, words: expect.stringContaining(next) });
});

test("the ref stays as long as a plan leaves something to prune", async () => {
  const { scope } = committed();
  const left = { entities: [urn("urn:li:tag:b")], values: 0 };

  const report = appliedReport(planOf({ scope: { directory: "catalog", left } }));

  expect(await recordApplied(scope(), report)).toEqual({ ref, status: "kept", because: "left-behind", left });
});

test.each<readonly [string, (repository: TestRepository) => unknown, string | undefined]>([
  ["a manifest that git was told to take for unchanged", hidden, "dirty"],
  ["a manifest that a sparse work tree leaves out", sparse, "dirty"],
  ["a manifest that is not committed", ({ write }) => write({ "catalog/c.yaml": tag("c") }), "dirty"],
  ["a manifest that is gone", ({ write }) => write({ "catalog/a.yaml": undefined }), "dirty"],
  ["a file beside the catalog", ({ write }) => write({ "plan.json": "{}" }), undefined],
])("what git says of %s does not decide: the files do", async (_, edit, because) => {
  const repository = committed();
  edit(repository);

  const recorded = await recordApplied(repository.scope(), appliedReport(planOf()));

  expect(recorded).toMatchObject(because === undefined ? { status: "moved" } : { status: "kept", because });
});

function hidden({ git, write }: TestRepository): void {
  git("update-index", "--assume-unchanged", "catalog/a.yaml");
  write({ "catalog/a.yaml": tag("a", "another text") });
}

function sparse({ git }: TestRepository): void {
  git("sparse-checkout", "set", "--no-cone", "catalog/b");
}
