import { describe, expect, test } from "vitest";
import type { Change, SetChange } from "../../../src/model/change.ts";
import type { Deletable, Live } from "../../../src/model/live.ts";
import { deletionFields } from "../../../src/plan/align/deletion.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { Plan } from "../../../src/model/plan.ts";
import { type Entity, type Member, type Scalar, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { fingerprintOf } from "../../../src/plan/notes/fingerprint.ts";
import { operationsOf } from "../../../src/plan/order/operations.ts";
import { narrowed, recheck, type Rechecked } from "../../../src/plan/recheck/recheck.ts";
import { datasetNamed, entityOf, liveOf, stateOf, urn } from "../../support/states.ts";

const a = datasetNamed("a");
const conditional = { writes: "conditional" } as const;
const alice = urn("urn:li:corpuser:alice");
const [pii, gold, old] = ["pii", "gold", "old"].map((id) => urn(`urn:li:tag:${id}`)) as [Urn, Urn, Urn];

/** What is left of each operation of some changes, and what is settled, when the catalog is as it is. */
function recheckedOf(
  changes: readonly Change[],
  live: Live,
  how: Pick<Plan, "writes"> = {},
): readonly Rechecked[] {
  const now = { live, created: new Set<Urn>(), moved: new Set<Urn>(), ...how };
  return operationsOf({ changes, ...how }).map((operation) => recheck(operation, now));
}

function holding(...entities: readonly Entity[]): Live {
  return liveOf(stateOf(...entities));
}

describe("fields that are written with one aspect", () => {
  const field = (facet: string, before: Scalar, after: Scalar): Change => ({
    action: "update",
    kind: "User",
    urn: alice,
    shape: "scalar",
    facet,
    before,
    after,
    fingerprint: fingerprintOf(scalarOf(before), { shape: "scalar" }),
  });
  const changes = [
    field("title", "Clerk", "Lead"),
    field("email", null, "a@b.c"),
    field("full_name", "Al", "Alice"),
  ];
  const [title, email, name] = changes as [Change, Change, Change];
  const [operation] = operationsOf({ changes }) as [Operation];
  const only = (set: object, ...own: readonly Change[]): Operation =>
    ({ ...operation, request: { ...operation.request, set }, changes: own }) as Operation;
  const user = (titled: Scalar, mailed: Scalar, named: Scalar): Live =>
    holding(
      entityOf("User", alice, {
        title: scalarOf(titled),
        email: scalarOf(mailed),
        full_name: scalarOf(named),
      }),
    );
  const moved = "its value was changed after the plan was made";

  test.each<readonly [string, Live, Rechecked]>([
    ["all are left where none has moved", user("Clerk", null, "Al"), { left: operation, settled: [] }],
    [
      "all are left where some are there: they are written once more with the others",
      user("Lead", "a@b.c", "Al"),
      { left: operation, settled: [] },
    ],
    [
      "nothing is left where all are there",
      user("Lead", "a@b.c", "Alice"),
      { settled: [{ status: "applied", operation }] },
    ],
    [
      "each of those that others have changed is stale by itself, and the rest is left",
      user("Head", "x@y.z", "Al"),
      {
        left: only({ fullName: "Alice" }, name),
        settled: [
          {
            status: "stale",
            because: moved,
            expected: "Clerk",
            found: "Head",
            operation: only({ title: "Lead" }, title),
          },
          {
            status: "stale",
            because: moved,
            expected: null,
            found: "x@y.z",
            operation: only({ email: "a@b.c" }, email),
          },
        ],
      },
    ],
    [
      "nothing is left where some are stale and the rest is there",
      user("Head", "a@b.c", "Alice"),
      {
        settled: [
          {
            status: "applied",
            operation: only({ email: "a@b.c", fullName: "Alice" }, email, name),
          },
          {
            status: "stale",
            because: moved,
            expected: "Clerk",
            found: "Head",
            operation: only({ title: "Lead" }, title),
          },
        ],
      },
    ],
    [
      "all are stale together where their entity is gone",
      { ...holding(), missing: new Map([[alice, "soft-deleted"]]) },
      {
        settled: [
          { status: "stale", because: `${alice} was soft-deleted after the plan was made`, operation },
        ],
      },
    ],
    [
      "all have failed where their entity could not be read",
      { ...holding(), unreadable: new Map([[alice, "denied"]]) },
      {
        settled: [
          {
            status: "failed",
            operation,
            error: `not sent: could not reread ${alice}: denied`,
          },
        ],
        unread: `could not reread ${alice}: denied`,
      },
    ],
  ])("%s", (_, now, expected) => {
    expect(recheckedOf(changes, now)).toEqual([expected]);
  });
});

test("it is said which entity could not be read, also where that is one that the changed one refers to", () => {
  const bob = urn("urn:li:corpuser:bob");
  const managed: Change = {
    action: "update",
    kind: "User",
    urn: alice,
    shape: "scalar",
    facet: "manager_urn",
    before: null,
    after: bob,
    fingerprint: fingerprintOf(scalarOf(null), { shape: "scalar" }),
  };
  const now = { ...holding(entityOf("User", alice, {})), unreadable: new Map([[bob, "no"]]) };

  expect(recheckedOf([managed], now)).toMatchObject([
    {
      settled: [{ error: `not sent: could not reread ${bob}: no` }],
      unread: `could not reread ${bob}: no`,
    },
  ]);
});

describe("elements of a set that mutations add and take away", () => {
  const change = (facet: string, before: readonly Member[], delta: object): SetChange => {
    const edges = { add: [] as Member[], remove: [] as Member[], ...delta };
    return {
      action: "update",
      kind: "Dataset",
      urn: a,
      shape: "set",
      facet,
      ...edges,
      fingerprint: fingerprintOf(setOf(before), { shape: "set", ...edges }),
    };
  };
  const tagged = change("tags", [old], { add: [pii, gold], remove: [old] });
  const [add, remove] = operationsOf({ changes: [tagged] }) as [Operation, Operation];
  const having = (...tags: readonly Urn[]): Live => holding(entityOf("Dataset", a, { tags: setOf(tags) }));
  const isLeft = (left: Operation): Rechecked => ({ left, settled: [] });
  const isApplied = (operation: Operation): Rechecked => ({ settled: [{ status: "applied", operation }] });

  test.each<readonly [string, Live, readonly Rechecked[]]>([
    ["both are left where nothing has been written", having(old), [isLeft(add), isLeft(remove)]],
    ["one addition of two is not all", having(old, pii), [isLeft(add), isLeft(remove)]],
    [
      "the additions were applied, and the removal is left",
      having(old, pii, gold),
      [isApplied(add), isLeft(remove)],
    ],
    ["the removal was applied, and the additions are left", having(gold), [isLeft(add), isApplied(remove)]],
    ["both were applied", having(pii, gold), [isApplied(add), isApplied(remove)]],
  ])("are looked at each for itself: %s", (_, now, expected) => {
    expect(recheckedOf([tagged], now)).toEqual(expected);
  });

  test("are left as long as one of several to be taken away is there", () => {
    const type = "urn:li:ownershipType:__system__technical_owner";
    const [bob, carol] = ["bob", "carol"].map((id) => ({ owner: `urn:li:corpuser:${id}`, type }));
    const owned = change("owners", [bob, carol] as Member[], { remove: [bob, carol] });
    const [removal] = operationsOf({ changes: [owned] }) as [Operation];
    const owners = (...members: readonly unknown[]): Live =>
      holding(entityOf("Dataset", a, { owners: setOf(members as Member[]) }));

    expect(recheckedOf([owned], owners({ ...carol }))).toEqual([isLeft(removal)]);
    expect(recheckedOf([owned], owners())).toEqual([isApplied(removal)]);
  });

  test("are left where the plan creates what has the set", () => {
    const group = { action: "create", kind: "Group", urn: urn("urn:li:corpGroup:fin") } as const;
    const joined = { ...change("members", [], { add: [alice] }), ...group };

    expect(recheckedOf([joined], holding())).toEqual(operationsOf({ changes: [joined] }).map(isLeft));
  });

  test("are not looked for one by one where the aspect is edited as a whole", () => {
    const [edit] = operationsOf({ changes: [tagged], ...conditional }) as [Operation];
    const tags = [pii, gold].map((tag) => entityOf("Tag", tag, {}));
    const now = holding(...tags, entityOf("Dataset", a, { tags: setOf([old, pii, gold]) }));

    expect(recheckedOf([tagged], now, conditional)).toEqual([isLeft(edit)]);
  });

  test("are stale where a column is gone, once for all such columns of one edit of their aspect", () => {
    const columns = ["id", "email", "amount"].map((column) => ({
      ...change("columns.tags", [], { add: [pii] }),
      path: [column],
    }));
    const there = new Map([["amount", setOf([])]]);
    const now = holding(
      entityOf("Dataset", a, { "columns.tags": { shape: "map", entries: there } }),
      entityOf("Tag", pii, {}),
    );
    const [edit] = operationsOf({ changes: columns, ...conditional }) as [Operation];
    const [left, operation] = [narrowed(edit, columns.slice(2)), narrowed(edit, columns.slice(0, 2))];
    const because = "its column is no longer in the schema";

    expect(recheckedOf(columns, now, conditional)).toEqual([
      { left, settled: [{ status: "stale", because, operation }] },
    ]);
  });
});

test("what creates or deletes an entity is judged by whether that is there", () => {
  const tag = { kind: "Tag", urn: pii, shape: "entity", fingerprint: "" } as const;
  const found: Deletable = { aspects: {}, referring: [], assignments: 0 };
  const there = { ...holding(entityOf("Tag", pii, {})), deletable: new Map([[pii, found]]) };
  const [creation, deletion] = (["create", "delete"] as const).map((action) => ({
    ...tag,
    action,
    ...(action === "delete" && deletionFields(found, "Tag")),
  })) as [Change, Change];
  const [create] = operationsOf({ changes: [creation] }) as [Operation];
  const [remove] = operationsOf({ changes: [deletion] }) as [Operation];
  const because = `${pii} was created after the plan was made`;

  expect(recheckedOf([creation], holding())).toEqual([{ left: create, settled: [] }]);
  expect(recheckedOf([creation], there)).toEqual([
    { settled: [{ status: "stale", because, operation: create }] },
  ]);
  expect(recheckedOf([deletion], there)).toEqual([{ left: remove, settled: [] }]);
  expect(recheckedOf([deletion], holding())).toEqual([
    { settled: [{ status: "applied", operation: remove }] },
  ]);
});

test("an operation that names no change is sent: there is nothing to look at again", () => {
  const request = { type: "proposal", urn: alice, aspect: "status", initial: {}, set: {} } as const;
  const operation: Operation = { id: "1", request, locks: [alice], after: [], changes: [] };
  const now = { live: holding(), created: new Set<Urn>(), moved: new Set<Urn>() };

  expect(recheck(operation, now)).toEqual({ left: operation, settled: [] });
});
