import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { Live } from "../../../src/model/live.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { Plan } from "../../../src/model/plan.ts";
import type { Outcome } from "../../../src/model/report.ts";
import { type Entity, scalarOf, setOf } from "../../../src/model/state.ts";
import { operationsOf } from "../../../src/plan/order/operations.ts";
import { verifiedOutcomes } from "../../../src/plan/recheck/verified.ts";
import { datasetNamed, entityOf, liveOf, stateOf, urn } from "../../support/states.ts";

const a = datasetNamed("a");
const domain = urn("urn:li:domain:finance");
const group = urn("urn:li:corpGroup:fin");
const alice = urn("urn:li:corpuser:alice");
const [pii, old, other] = ["pii", "old", "other"].map((id) => `urn:li:tag:${id}`) as [string, string, string];

const about = { action: "update", fingerprint: "" } as const;
const undone =
  "not confirmed: the catalog does not show the written values; they were overwritten, or reads lag behind writes";

function applied(operation: Operation): Outcome {
  return { status: "applied", operation };
}

/** What becomes of the operations of some changes when all of them were applied and the catalog is as it is. */
function provedOf(
  changes: readonly Change[],
  live: Live,
  how: Pick<Plan, "writes"> = {},
): readonly (readonly Outcome[])[] {
  return operationsOf({ changes, ...how }).map((operation) => verifiedOutcomes(applied(operation), live));
}

function holding(...entities: readonly Entity[]): Live {
  return liveOf(stateOf(...entities));
}

/** A failure that was found when the catalog was read back. */
function failure(operation: Operation | undefined, expected: unknown, found: unknown): unknown {
  return { status: "failed", operation, error: undone, expected, found };
}

test("what was not applied is not looked at, and what could not be read back stays as it is", () => {
  const named: Change = {
    ...about,
    kind: "Domain",
    urn: domain,
    shape: "scalar",
    facet: "name",
    before: "A",
    after: "B",
  };
  const [operation] = operationsOf({ changes: [named] }) as [Operation];
  const others: readonly Outcome[] = [
    { status: "failed", operation, error: "denied" },
    { status: "skipped", operation, because: "interrupted" },
    { status: "stale", operation, because: "moved" },
  ];

  expect(others.flatMap((outcome) => verifiedOutcomes(outcome, holding()))).toEqual(others);
  expect(
    verifiedOutcomes(applied(operation), { ...holding(), unreadable: new Map([[domain, "denied"]]) }),
  ).toEqual([applied(operation)]);
});

describe("an entity", () => {
  const entity = { kind: "Domain", urn: domain, shape: "entity", fingerprint: "" } as const;
  const there = holding(entityOf("Domain", domain, {}));

  test("that was created has failed where it is not there", () => {
    const creation: Change = { ...entity, action: "create" };
    const [operation] = operationsOf({ changes: [creation] }) as [Operation];

    expect(provedOf([creation], there)).toEqual([[applied(operation)]]);
    expect(provedOf([creation], holding())).toEqual([[failure(operation, "present", "absent")]]);
  });

  test("that was deleted has failed where it is there", () => {
    const deletion: Change = { ...entity, action: "delete" };
    const [operation] = operationsOf({ changes: [deletion] }) as [Operation];

    expect(provedOf([deletion], holding())).toEqual([[applied(operation)]]);
    expect(provedOf([deletion], there)).toEqual([[failure(operation, "absent", "present")]]);
  });
});

describe("fields that were written with one aspect", () => {
  const field = (facet: string, after: string | null): Change => ({
    ...about,
    kind: "User",
    urn: alice,
    shape: "scalar",
    facet,
    before: "x",
    after,
  });
  const [title, email, name] = [field("title", "Lead"), field("email", null), field("full_name", "Alice")];
  const changes = [title, email, name];
  const [operation] = operationsOf({ changes }) as [Operation];
  const only = (change: Change, set: object): Operation =>
    ({ ...operation, request: { ...operation.request, set }, changes: [change] }) as Operation;
  const user = (titled: string, mailed: string | null): Entity =>
    entityOf("User", alice, {
      title: scalarOf(titled),
      email: scalarOf(mailed),
      full_name: scalarOf("Alice"),
    });

  test("are there", () => {
    expect(provedOf(changes, holding(user("Lead", null)))).toEqual([[applied(operation)]]);
  });

  test("are judged one by one: those that are there were applied, each of the others has failed", () => {
    expect(provedOf(changes, holding(user("Head", "a@b.c")))).toEqual([
      [
        applied(only(name, { fullName: "Alice" })),
        failure(only(title, { title: "Lead" }), "Lead", "Head"),
        failure(only(email, { email: null }), null, "a@b.c"),
      ],
    ]);
  });

  test("have all failed where their entity is gone, but those that were unset", () => {
    expect(provedOf([title, name], holding())).toMatchObject([
      [
        { status: "failed", expected: "Lead", found: null },
        { status: "failed", expected: "Alice", found: null },
      ],
    ]);
    expect(provedOf([email], holding())).toMatchObject([[{ status: "applied" }]]);
  });
});

describe("the elements of a set", () => {
  const conditional = { writes: "conditional" } as const;
  const tagged: Change = {
    ...about,
    kind: "Dataset",
    urn: a,
    shape: "set",
    facet: "tags",
    add: [pii, other],
    remove: [old],
  };
  const having = (...tags: readonly string[]): Live => holding(entityOf("Dataset", a, { tags: setOf(tags) }));

  test("that two mutations write are proved of each for itself", () => {
    const [add, remove] = operationsOf({ changes: [tagged] }) as [Operation, Operation];

    expect(provedOf([tagged], having(pii, other, "urn:li:tag:theirs"))).toEqual([
      [applied(add)],
      [applied(remove)],
    ]);
    expect(provedOf([tagged], having(pii, old))).toEqual([
      [failure(add, [pii, other], [pii])],
      [failure(remove, [], [old])],
    ]);
    expect(provedOf([tagged], holding())).toEqual([[failure(add, [pii, other], [])], [applied(remove)]]);
  });

  test("that one edit of their aspect writes are proved together", () => {
    const [edit] = operationsOf({ changes: [tagged], ...conditional }) as [Operation];

    expect(provedOf([tagged], having(other, pii), conditional)).toEqual([[applied(edit)]]);
    expect(provedOf([tagged], having(old, pii), conditional)).toEqual([
      [failure(edit, [pii, other], [pii, old])],
    ]);
    expect(provedOf([tagged], having(old, pii, other), conditional)).toEqual([
      [failure(edit, [pii, other], [pii, other, old])],
    ]);
  });

  test("that are members of a group are proved by their own writes, not by those of the group or of the others", () => {
    const members: Change = {
      action: "create",
      fingerprint: "",
      kind: "Group",
      urn: group,
      shape: "set",
      facet: "members",
      add: [alice],
      remove: ["urn:li:corpuser:bob"],
    };
    const operations = operationsOf({ changes: [members] });
    const [, , add] = operations;
    const empty = holding(entityOf("Group", group, { members: setOf([]) }));

    expect(operations.map(({ request }) => ("field" in request ? request.field : request.aspect))).toEqual([
      "origin",
      "corpGroupInfo",
      "addGroupMembers",
      "removeGroupMembers",
      "groupMembership",
    ]);
    expect(provedOf([members], empty)).toEqual(
      operations.map((operation) => [
        operation.id === add?.id ? failure(operation, [alice], []) : applied(operation),
      ]),
    );
  });
});
