import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { Json } from "../../../src/model/json.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { KindName } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { operationsOf } from "../../../src/plan/order/operations.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const a = datasetNamed("a");
const tag = urn("urn:li:tag:t");
const [alice, bob] = [urn("urn:li:corpuser:alice"), urn("urn:li:corpuser:bob")];
const [fin, ops] = [urn("urn:li:corpGroup:fin"), urn("urn:li:corpGroup:ops")];
const system = "urn:li:ownershipType:__system__";
const domain = (id: string): Urn => urn(`urn:li:domain:${id}`);

function change(kind: KindName, of: Urn, facet: string, delta: object, action = "update"): Change {
  const shape = "add" in delta ? "set" : "scalar";
  return { action, shape, kind, urn: of, facet, fingerprint: "", ...delta } as Change;
}

function scalar(kind: KindName, of: Urn, facet: string, after: Json, action = "update"): Change {
  return change(kind, of, facet, { before: null, after }, action);
}

const bare = (kind: KindName, of: Urn, action: "create" | "delete" = "create"): Change => {
  return { action, shape: "entity", kind, urn: of, fingerprint: "" };
};

const ofChanges = (...changes: readonly Change[]): readonly Operation[] => operationsOf({ changes });

/** What is sent and to whom, in a word. */
function brief({ request }: Operation): string {
  if (request.type === "mutation") return request.field;
  return `${request.urn} ${request.aspect}${request.drop ? " -" : ""}`;
}

test("nothing is sent for nothing", () => {
  expect(ofChanges()).toEqual([]);
});

test("an assignment is one mutation that locks its asset", () => {
  const tagged = change("Dataset", a, "tags", { add: [tag], remove: [] });

  const [operation, ...more] = ofChanges(tagged);

  expect(more).toEqual([]);
  expect(operation).toMatchObject({ id: "1", lock: a, needs: [], changes: [tagged] });
  expect(operation).not.toHaveProperty("creates");
  expect(operation?.request).toMatchObject({ type: "mutation", field: "addTags" });
});

describe("a new entity", () => {
  test.each<readonly [KindName, Urn, Readonly<Record<string, object>>]>([
    ["Domain", domain("finance"), { domainProperties: { name: "finance" } }],
    ["Tag", tag, { tagProperties: { name: "t" } }],
    ["User", alice, { corpUserInfo: { active: true } }],
    ["Group", fin, { corpGroupInfo: { admins: [], members: [], groups: [] }, origin: { type: "NATIVE" } }],
  ])("that is a %s is founded by its first aspects", (kind, of, aspects) => {
    const creation = bare(kind, of);

    expect(ofChanges(creation)).toEqual(
      Object.entries(aspects).map(([aspect, initial], index) => ({
        id: `${index + 1}`,
        request: { type: "proposal", urn: of, aspect, initial, set: {} },
        lock: of,
        phase: expect.any(Number) as number,
        needs: [of],
        creates: of,
        changes: [creation],
      })),
    );
  });

  test("has all of one aspect written at once, for every reason", () => {
    const changes = [
      scalar("Tag", tag, "color_hex", "#fff", "create"),
      scalar("Tag", tag, "description", "x", "create"),
      scalar("Tag", tag, "name", "T", "create"),
    ];

    expect(ofChanges(...changes)).toMatchObject([
      {
        request: {
          aspect: "tagProperties",
          initial: { name: "t" },
          set: { name: "T", description: "x", colorHex: "#fff" },
        },
        changes,
      },
    ]);
  });

  test("comes before what refers to it, which needs it", () => {
    const operations = ofChanges(
      change("Dataset", a, "tags", { add: [tag, "urn:li:tag:there"], remove: [] }),
      bare("Tag", tag),
    );

    expect(operations.map((operation) => [brief(operation), operation.needs])).toEqual([
      [`${tag} tagProperties`, [tag]],
      ["addTags", [tag]],
    ]);
    expect(operations.map(({ id }) => id)).toEqual(["1", "2"]);
  });

  test("is needed by an owner's assignment, and by a user's manager", () => {
    const needs = (of: Change): readonly (readonly Urn[])[] =>
      ofChanges(bare("User", alice), of)
        .filter(({ changes }) => changes.includes(of))
        .map((operation) => operation.needs);

    const owners = { add: [{ owner: alice, type: `${system}technical_owner` }], remove: [] };
    expect(needs(change("Dataset", a, "owners", owners))).toEqual([[alice]]);
    expect(needs(scalar("User", bob, "manager_urn", alice))).toEqual([[alice]]);
    expect(needs(scalar("User", bob, "title", "alice"))).toEqual([[]]);
    expect(needs(scalar("User", bob, "department_id", 7))).toEqual([[]]);
    expect(needs(scalar("User", bob, "title", null))).toEqual([[]]);
  });

  test("that has fields of two aspects needs itself once", () => {
    const operations = ofChanges(
      scalar("User", alice, "manager_urn", bob, "create"),
      scalar("User", alice, "title", "x", "create"),
      scalar("User", alice, "slack", "y", "create"),
      bare("User", bob),
    );

    expect(operations.map((operation) => [brief(operation), operation.needs])).toEqual([
      [`${alice} corpUserInfo`, [alice, bob]],
      [`${alice} corpUserEditableInfo`, [alice]],
      [`${bob} corpUserInfo`, [bob]],
    ]);
  });
});

describe("a change of one aspect", () => {
  test("keeps what the aspect must hold where there is none yet", () => {
    const requests = ofChanges(
      scalar("User", alice, "title", "x"),
      scalar("User", alice, "slack", "y"),
      scalar("Tag", tag, "description", "z"),
    ).map(({ request }) => request);

    expect(requests).toMatchObject([
      { aspect: "tagProperties", initial: { name: "t" }, set: { description: "z" } },
      { aspect: "corpUserInfo", initial: { active: true }, set: { title: "x" } },
      { aspect: "corpUserEditableInfo", initial: {}, set: { slack: "y" } },
    ]);
  });

  test("is one write with other changes of it, but not with those of another entity", () => {
    const operations = ofChanges(
      scalar("User", alice, "title", "x"),
      scalar("User", bob, "title", "x"),
      scalar("User", alice, "email", "y"),
    );

    expect(operations.map(brief)).toEqual([`${alice} corpUserInfo`, `${bob} corpUserInfo`]);
    expect(operations[0]?.changes).toHaveLength(2);
  });

  test("that restores an entity brings it into being for those that refer to it", () => {
    const operations = ofChanges(
      scalar("Tag", tag, "description", "x"),
      change("Tag", tag, "removed", { before: true, after: false }),
      change("Dataset", a, "tags", { add: [tag], remove: [] }),
    );

    expect(operations.map(({ creates, needs }) => [creates, needs])).toEqual([
      [undefined, [tag]],
      [tag, [tag]],
      [undefined, [tag]],
    ]);
  });
});

test("domains come after the domains above them, as the plan has it", () => {
  const operations = ofChanges(
    scalar("Domain", domain("a"), "parent_domain", domain("b"), "create"),
    scalar("Domain", domain("b"), "parent_domain", domain("c"), "create"),
    scalar("Domain", domain("c"), "parent_domain", null, "create"),
    scalar("Domain", domain("d"), "description", domain("a"), "create"),
  );

  expect(operations.map(brief)).toEqual(["c", "d", "b", "a"].map((id) => `${domain(id)} domainProperties`));
});

describe("memberships", () => {
  const joined = change("Group", fin, "members", { add: [alice], remove: [] });
  const left = (group: Urn): Change => change("Group", group, "members", { add: [], remove: [bob] });

  test("are written one after the other, whoever they concern", () => {
    expect(ofChanges(joined, left(ops)).map(({ lock }) => lock)).toEqual([
      "memberships",
      "memberships",
      "memberships",
    ]);
  });

  test("need the user and the group that are created with them", () => {
    const operations = ofChanges(bare("Group", fin), joined, bare("User", alice));

    expect(operations.map((operation) => [brief(operation), operation.needs])).toEqual([
      [`${alice} corpUserInfo`, [alice]],
      [`${fin} corpGroupInfo`, [fin]],
      [`${fin} origin`, [fin]],
      ["addGroupMembers", [fin, alice]],
    ]);
  });

  test("do not keep a new group from being founded beside others", () => {
    const operations = ofChanges({ ...joined, action: "create" });

    expect(operations.map((operation) => [brief(operation), operation.lock])).toEqual([
      [`${fin} corpGroupInfo`, fin],
      [`${fin} origin`, fin],
      ["addGroupMembers", "memberships"],
    ]);
  });

  test("of one user that leaves two groups are two edits of the same aspect, each for itself", () => {
    const operations = ofChanges(left(fin), left(ops));

    expect(operations.map(brief)).toEqual([
      "removeGroupMembers",
      `${bob} groupMembership -`,
      "removeGroupMembers",
      `${bob} groupMembership -`,
    ]);
    expect(operations.map(({ changes }) => changes[0]?.urn)).toEqual([fin, fin, ops, ops]);
  });

  test("do not make a group come into being by an edit of a user", () => {
    const changes = [{ ...left(fin), action: "create" } as Change];

    expect(operationsOf({ changes }).map((operation) => [brief(operation), operation.creates])).toEqual([
      [`${fin} corpGroupInfo`, fin],
      [`${fin} origin`, fin],
      ["removeGroupMembers", undefined],
      [`${bob} groupMembership -`, undefined],
    ]);
  });
});

describe("a deletion", () => {
  test.each<readonly [KindName, Urn, string]>([
    ["Domain", domain("a"), "deleteDomain"],
    ["Tag", tag, "deleteTag"],
    ["User", alice, "removeUser"],
    ["Group", fin, "removeGroup"],
  ])("of a %s is one mutation", (kind, of, field) => {
    const deletion = bare(kind, of, "delete");

    expect(ofChanges(deletion)).toEqual([
      {
        id: "1",
        request: { type: "mutation", field, args: [{ name: "urn", type: "String!", value: of }] },
        lock: of,
        phase: expect.any(Number) as number,
        needs: [],
        changes: [deletion],
      },
    ]);
  });

  test("comes after all else, and domains one after the other as they stand in the plan", () => {
    const [one, other] = [domain("below"), domain("above")];
    const operations = ofChanges(
      bare("Domain", one, "delete"),
      bare("Domain", other, "delete"),
      bare("Tag", tag, "delete"),
      change("Dataset", a, "tags", { add: [], remove: [tag] }),
    );

    expect(operations.map(({ changes }) => changes[0]?.urn)).toEqual([a, tag, one, other]);
    expect(operations[2]?.phase).toBeLessThan(operations[3]?.phase ?? 0);
  });

  test("of what cannot be deleted is nothing", () => {
    expect(ofChanges(bare("Dataset", a, "delete"))).toEqual([]);
  });
});
