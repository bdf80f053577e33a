import { expect, test } from "vitest";
import { dropMissingReferences } from "../../../src/cli/run/upsert-references.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Plan } from "../../../src/model/plan.ts";
import type { PlanProblem } from "../../../src/model/problem.ts";
import type { DeclaredReference } from "../../../src/model/reference.ts";
import { type Entity, type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import { entityOf, stateOf, urn } from "../../support/states.ts";

const team = urn("urn:li:corpGroup:team");
const ada = urn("urn:li:corpuser:ada");
const [ben, nobody] = [urn("urn:li:corpuser:ben"), urn("urn:li:corpuser:nobody")];
const origin = { file: "file.yaml", line: 3, column: 5 };

const missing = {
  code: "reference-missing",
  severity: "error",
  args: { urn: nobody, id: "nobody", noun: "user", suggestion: "ben" },
} as unknown as PlanProblem;
const removed = {
  code: "reference-removed",
  severity: "error",
  args: { urn: nobody, noun: "user" },
} as unknown as PlanProblem;
const unread = {
  code: "read-failed",
  severity: "error",
  args: { urn: nobody, error: "HTTP 500" },
} as unknown as PlanProblem;

/** What is left of a facet of an entity that names nobody, and of what a problem was made. */
function left(kind: string, facet: string, value: FacetValue, problem: PlanProblem) {
  const entity: Entity = entityOf(kind, kind === "Group" ? team : ada, {
    [facet]: value,
    title: scalarOf("x"),
  });
  const reference = { from: entity.urn, facet, urn: nobody, origin } as DeclaredReference;
  const [before, after] = value.shape === "set" ? [undefined, undefined] : [null, nobody];
  const added = value.shape === "set" ? { shape: "set", add: value.members, remove: [] } : {};
  const change = { action: "update", kind, urn: entity.urn, facet, shape: "scalar", before, after, ...added };
  const plan = { changes: [change as unknown as Change], problems: [problem] } as unknown as Plan;
  const { declared, problems } = dropMissingReferences(
    { state: stateOf(entity), references: [reference] },
    plan,
  );
  const found = declared.state.get(entity.urn);
  return { value: found?.facets.get(facet), manage: found?.manage, problems };
}

const owner = (id: string): { readonly owner: string; readonly type: string } => ({
  owner: `urn:li:corpuser:${id}`,
  type: "urn:li:ownershipType:__system__technical_owner",
});

test.each<readonly [string, string, PlanProblem, object]>([
  [
    "does not exist",
    "members",
    missing,
    { code: "membership-skipped", severity: "warning", args: { state: "absent", suggestion: "ben" } },
  ],
  [
    "is soft-deleted",
    "members",
    removed,
    { code: "membership-skipped", severity: "warning", args: { state: "soft-deleted" } },
  ],
  ["cannot be read", "members", unread, { code: "read-failed", severity: "error" }],
])(
  "a member that %s is left out with its place, and nobody loses the membership",
  (_, facet, problem, expected) => {
    const { value, manage, problems } = left("Group", facet, setOf([ben, nobody]), problem);

    expect(value).toMatchObject(setOf([ben]));
    expect(manage).toEqual({ members: "additive" });
    expect(problems).toMatchObject([{ ...expected, origin }]);
  },
);

test("an owner that does not exist is left out with a warning that suggests no manifest, and nobody loses the ownership", () => {
  const { value, manage, problems } = left(
    "Group",
    "owners",
    setOf([owner("ben"), owner("nobody")]),
    missing,
  );

  expect(value).toMatchObject(setOf([owner("ben")]));
  expect(manage).toEqual({ owners: "additive" });
  expect(problems).toMatchObject([{ code: "reference-missing", severity: "warning", origin }]);
  expect(problems[0]?.args).toMatchObject({ id: undefined });
});

test("a manager that does not exist is an error, and is not declared", () => {
  const { value, problems } = left("User", "manager_urn", scalarOf(nobody), missing);

  expect(value).toBeUndefined();
  expect(problems).toMatchObject([{ code: "reference-missing", severity: "error", origin }]);
});
