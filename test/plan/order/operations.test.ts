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
  return `${request.urn} ${request.aspect}${request.edits ? " -" : ""}`;
}

/** What is sent, each with what it comes after. */
function graphOf(...changes: readonly Change[]): readonly (readonly [string, readonly string[]])[] {
  const operations = ofChanges(...changes);
  const byId = new Map(operations.map((operation) => [operation.id, brief(operation)]));
  return operations.map((operation) => [
    brief(operation),
    operation.after.map((id) => byId.get(id) ?? "unknown"),
  ]);
}

test("nothing is sent for nothing", () => {
  expect(ofChanges()).toEqual([]);
});

test("an operation names those that it comes after in their order", () => {
  const joined = change("Group", fin, "members", { add: [alice], remove: [] });
  const created = [bare("User", alice), bare("Group", fin)];

  expect(ofChanges(...created, joined).at(-1)).toMatchObject({ id: "4", after: ["1", "3"] });
});

test("an assignment is one mutation that locks its asset", () => {
  const tagged = change("Dataset", a, "tags", { add: [tag], remove: [] });

  const [operation, ...more] = ofChanges(tagged);

  expect(more).toEqual([]);
  expect(operation).toMatchObject({ id: "1", locks: [a], after: [], adds: [tag], changes: [tagged] });
  expect(operation).not.toHaveProperty("removes");
  expect(operation?.request).toMatchObject({ type: "mutation", field: "addTags" });
});

describe("a new entity", () => {
  test.each<readonly [KindName, Urn, Readonly<Record<string, object>>]>([
    ["Domain", domain("finance"), { domainProperties: { name: "finance" } }],
    ["Tag", tag, { tagProperties: { name: "t" } }],
    ["User", alice, { corpUserInfo: { active: true } }],
    ["Group", fin, { origin: { type: "NATIVE" }, corpGroupInfo: { admins: [], members: [], groups: [] } }],
  ])("that is a %s is founded by its first aspects, one after the other", (kind, of, aspects) => {
    const creation = bare(kind, of);

    expect(ofChanges(creation)).toEqual(
      Object.entries(aspects).map(([aspect, initial], index) => ({
        id: `${index + 1}`,
        request: { type: "proposal", urn: of, aspect, initial, set: {} },
        locks: [of],
        after: index === 0 ? [] : [`${index}`],
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

  test("is placed by its first write, which comes after the domain", () => {
    const product = urn("urn:li:dataProduct:p");
    const operations = ofChanges(
      bare("Domain", domain("a")),
      scalar("DataProduct", product, "domain", domain("a"), "create"),
      scalar("DataProduct", product, "name", "P", "create"),
    );
    expect(operations).toMatchObject([
      { request: { aspect: "domainProperties" } },
      {
        after: ["1"],
        request: { aspect: "dataProductProperties", set: { name: "P" }, beside: { aspect: "domains" } },
        changes: [{ facet: "domain" }, { facet: "name" }],
      },
    ]);
    expect(operations).toHaveLength(2);
  });

  test("has on its first writes what they write, and where that is nothing, that it is created", () => {
    const source = { file: "catalog/g.yaml", line: 1, column: 1 };
    const named = { ...scalar("Group", fin, "display_name", "Finance", "create"), source };
    const pictured = { ...scalar("Group", fin, "picture_link", "https://acme.com/f.png", "create"), source };

    expect(ofChanges(pictured, named).map((each) => [brief(each), each.changes])).toMatchObject([
      [`${fin} origin`, [{ action: "create", shape: "entity", kind: "Group", urn: fin, source }]],
      [`${fin} corpGroupInfo`, [named]],
      [`${fin} corpGroupEditableInfo`, [pictured]],
    ]);
  });

  test("comes before what refers to it", () => {
    expect(
      graphOf(change("Dataset", a, "tags", { add: [tag, "urn:li:tag:there"], remove: [] }), bare("Tag", tag)),
    ).toEqual([
      [`${tag} tagProperties`, []],
      ["addTags", [`${tag} tagProperties`]],
    ]);
  });

  test("is waited for by an owner's assignment and by a user's manager, and by no text that names it", () => {
    const afterOf = (of: Change): readonly string[] | undefined => graphOf(bare("User", alice), of)[1]?.[1];
    const owners = { add: [{ owner: alice, type: `${system}technical_owner` }], remove: [] };
    const created = [`${alice} corpUserInfo`];

    expect(afterOf(change("Dataset", a, "owners", owners))).toEqual(created);
    expect(afterOf(scalar("User", bob, "manager_urn", alice))).toEqual(created);
    expect(afterOf(scalar("User", bob, "title", "alice"))).toEqual([]);
    expect(afterOf(scalar("User", bob, "department_id", 7))).toEqual([]);
    expect(afterOf(scalar("User", bob, "title", null))).toEqual([]);
  });

  test("comes after what it refers to itself, its other aspects after it", () => {
    expect(
      graphOf(
        scalar("User", alice, "manager_urn", bob, "create"),
        scalar("User", alice, "title", "x", "create"),
        scalar("User", alice, "slack", "y", "create"),
        bare("User", bob),
      ),
    ).toEqual([
      [`${bob} corpUserInfo`, []],
      [`${alice} corpUserInfo`, [`${bob} corpUserInfo`]],
      [`${alice} corpUserEditableInfo`, [`${alice} corpUserInfo`]],
    ]);
  });

  test("gets a reference afterwards where such entities refer to each other in a circle", () => {
    const carol = urn("urn:li:corpuser:carol");

    expect(
      graphOf(
        scalar("User", carol, "manager_urn", alice, "create"),
        scalar("User", alice, "manager_urn", bob, "create"),
        scalar("User", bob, "manager_urn", alice, "create"),
      ),
    ).toEqual([
      [`${alice} corpUserInfo`, []],
      [`${carol} corpUserInfo`, [`${alice} corpUserInfo`]],
      [`${bob} corpUserInfo`, [`${alice} corpUserInfo`]],
      [`${alice} corpUserInfo`, [`${alice} corpUserInfo`, `${bob} corpUserInfo`]],
    ]);
  });

  test("gets it afterwards also where a text looks like a reference, which is none", () => {
    expect(
      graphOf(
        scalar("User", alice, "manager_urn", bob, "create"),
        scalar("User", alice, "title", urn("urn:li:corpuser:carol"), "create"),
        scalar("User", bob, "manager_urn", alice, "create"),
        scalar("User", bob, "title", tag, "create"),
        bare("User", urn("urn:li:corpuser:carol")),
        scalar("Tag", tag, "description", bob, "create"),
      ),
    ).toEqual([
      [`${alice} corpUserInfo`, []],
      [`${bob} corpUserInfo`, [`${alice} corpUserInfo`]],
      [`${alice} corpUserInfo`, [`${alice} corpUserInfo`, `${bob} corpUserInfo`]],
      ["urn:li:corpuser:carol corpUserInfo", []],
      [`${tag} tagProperties`, []],
    ]);
  });

  test("gets it afterwards whatever else is declared of it", () => {
    expect(
      graphOf(
        scalar("User", alice, "manager_urn", bob, "create"),
        change("User", alice, "tags", { add: [tag], remove: [] }, "create"),
        scalar("User", bob, "manager_urn", alice, "create"),
      ),
    ).toEqual([
      [`${alice} corpUserInfo`, []],
      ["addTags", [`${alice} corpUserInfo`]],
      [`${bob} corpUserInfo`, [`${alice} corpUserInfo`]],
      [`${alice} corpUserInfo`, [`${alice} corpUserInfo`, `${bob} corpUserInfo`]],
    ]);
  });

  test("that is there already has it written with the rest, also in a circle", () => {
    expect(
      graphOf(
        scalar("User", alice, "manager_urn", bob),
        scalar("User", alice, "title", "x"),
        scalar("User", bob, "manager_urn", alice),
      ),
    ).toEqual([
      [`${alice} corpUserInfo`, []],
      [`${bob} corpUserInfo`, []],
    ]);
  });

  test("can refer to itself at once", () => {
    expect(graphOf(scalar("User", alice, "manager_urn", alice, "create"))).toEqual([
      [`${alice} corpUserInfo`, []],
    ]);
  });
});

describe("a change of one aspect", () => {
  test("keeps what the aspect must hold where there is none yet", () => {
    const requests = ofChanges(
      scalar("Tag", tag, "description", "z"),
      scalar("User", alice, "title", "x"),
      scalar("User", alice, "slack", "y"),
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

  test("that restores an entity comes before all else of it, and before those that refer to it", () => {
    expect(
      graphOf(
        scalar("Tag", tag, "description", "x"),
        change("Tag", tag, "removed", { before: true, after: false }),
        change("Dataset", a, "tags", { add: [tag], remove: [] }),
      ),
    ).toEqual([
      [`${tag} status`, []],
      [`${tag} tagProperties`, [`${tag} status`]],
      ["addTags", [`${tag} status`]],
    ]);
  });

  test("that soft-deletes an entity comes after all else of it, and after what is written of its values", () => {
    const property = urn("urn:li:structuredProperty:days");
    expect(
      graphOf(
        change("StructuredProperty", property, "removed", { before: false, after: true }),
        scalar("StructuredProperty", property, "description", "x"),
        change("Dataset", a, "structured_properties", { path: [property], before: "1", after: null }),
      ),
    ).toEqual([
      [`${property} propertyDefinition`, []],
      ["removeStructuredProperties", []],
      [`${property} status`, [`${property} propertyDefinition`, "removeStructuredProperties"]],
    ]);
  });

  test("that restores an entity comes before what is added to it, and that before what is taken away", () => {
    const type = `${system}technical_owner`;
    const owners = { add: [{ owner: alice, type }], remove: [{ owner: bob, type }] };

    expect(
      graphOf(
        change("Tag", tag, "owners", owners),
        change("Tag", tag, "removed", { before: true, after: false }),
      ),
    ).toEqual([
      [`${tag} status`, []],
      ["addOwner", [`${tag} status`]],
      ["batchRemoveOwners", ["addOwner"]],
    ]);
  });
});

describe("written by conditional proposals", () => {
  const tagging = (column: string, add: readonly string[], remove: readonly string[] = []): Change =>
    change("Dataset", a, "columns.tags", { path: [column], add, remove });
  const taggingBut = (column: string, except: string): Change =>
    change("Dataset", a, "columns.tags", {
      path: [column],
      add: [tag],
      remove: [],
      covers: { elements: [], except: [except] },
    });
  const conditional = (...changes: readonly Change[]): readonly Operation[] =>
    operationsOf({ changes, writes: "conditional" });

  test("the tags of all columns of an asset are one write, with every edit", () => {
    const changes = [tagging("x", [tag]), tagging("y", ["urn:li:tag:u"], ["urn:li:tag:o"])];
    const [operation, ...more] = conditional(...changes);
    const edits = operation?.request.type === "proposal" ? operation.request.edits : [];

    expect(more).toEqual([]);
    expect(operation).toMatchObject({ request: { aspect: "editableSchemaMetadata" }, changes, after: [] });
    expect(edits).toHaveLength(2);
    expect(JSON.stringify(edits?.[0])).toContain(tag);
    expect(JSON.stringify(edits?.[1])).toContain("urn:li:tag:u");
  });

  test.each<readonly [string, readonly Change[], true | undefined]>([
    ["of all of which others may change the rest", [taggingBut("x", "*"), taggingBut("y", "*")], true],
    ["one of which is complete", [taggingBut("x", "*"), tagging("y", [tag])], undefined],
    ["that are complete but for some values", [taggingBut("x", "urn:li:tag:dbt*")], undefined],
  ])("whether a write of lists is for any version, %s", (_, changes, expected) => {
    const [operation, ...more] = conditional(...changes);

    expect(more).toEqual([]);
    const request = operation?.request;
    expect(request?.type === "proposal" ? request.isForAnyVersion : "no proposal").toBe(expected);
  });

  test("they come after every tag that is created for one of them", () => {
    const operations = conditional(tagging("x", ["urn:li:tag:there"]), tagging("y", [tag]), bare("Tag", tag));

    expect(operations.map(brief)).toEqual([`${tag} tagProperties`, `${a} editableSchemaMetadata -`]);
    expect(operations[1]?.after).toEqual(["1"]);
  });

  test("what takes nothing but tags away waits for none of them", () => {
    const [operation, ...more] = conditional(tagging("x", [], ["urn:li:tag:o"]));

    expect(more).toEqual([]);
    expect(operation?.after).toEqual([]);
  });
});

describe("what is taken from a set comes after what is added to it", () => {
  const type = `${system}technical_owner`;
  const [steward, technical] = [
    { owner: alice, type: `${system}data_steward` },
    { owner: alice, type },
  ];

  test.each<readonly [string, Change, readonly (readonly [string, readonly string[]])[]]>([
    [
      "owners",
      change("Dataset", a, "owners", { add: [steward, { owner: bob, type }], remove: [technical] }),
      [
        ["addOwner", []],
        ["addOwner", []],
        ["batchRemoveOwners", ["addOwner", "addOwner"]],
      ],
    ],
    [
      "tags of a column",
      change("Dataset", a, "columns.tags", { path: ["x"], add: [tag], remove: ["urn:li:tag:o"] }),
      [
        ["addTags", []],
        ["removeTag", ["addTags"]],
      ],
    ],
    [
      "members",
      change("Group", fin, "members", { add: [alice], remove: [bob] }),
      [
        ["addGroupMembers", []],
        ["removeGroupMembers", ["addGroupMembers"]],
        [`${bob} groupMembership -`, ["addGroupMembers"]],
      ],
    ],
  ])("%s", (_, changed, graph) => {
    expect(graphOf(changed)).toEqual(graph);
  });

  test("and not after what is added to another", () => {
    const [here, there] = ["x", "y"].map((column) => {
      const delta = column === "x" ? { add: [tag], remove: [] } : { add: [], remove: [tag] };
      return change("Dataset", a, "columns.tags", { path: [column], ...delta });
    });

    expect(graphOf(here as Change, there as Change)).toEqual([
      ["addTags", []],
      ["removeTag", []],
    ]);
  });
});

describe("domains", () => {
  const moved = (id: string, parent: string | null, ...above: readonly string[]): Change => ({
    ...scalar("Domain", domain(id), "parent_domain", parent === null ? null : domain(parent)),
    ...(above.length > 0 && { above: above.map(domain) }),
  });
  const properties = (id: string): string => `${domain(id)} domainProperties`;

  test("move after the domains that will be above them, also where one between them stays where it is", () => {
    const moves = [moved("a", "c", "b", "a"), moved("b", "d")];
    const graph = [
      [properties("b"), []],
      [properties("a"), [properties("b")]],
    ];

    expect(graphOf(...moves)).toEqual(graph);
    expect(graphOf(...moves, scalar("Domain", domain("c"), "name", "C"))).toEqual([
      ...graph,
      [properties("c"), []],
    ]);
  });

  test("turn over from the top", () => {
    expect(graphOf(moved("a", "b", "a"), moved("b", "c", "b", "a"), moved("c", null))).toEqual([
      [properties("c"), []],
      [properties("b"), [properties("c")]],
      [properties("a"), [properties("b")]],
    ]);
  });

  test("have no order where they move into a circle", () => {
    expect(() => ofChanges(moved("a", "b"), moved("b", "a"))).toThrow("operations wait for each other");
  });

  test("wait each for the nearest that moves, however long the way up is", () => {
    const ids = Array.from({ length: 3000 }, (_, index) => `${index}`);
    const operations = ofChanges(...ids.map((id, index) => moved(id, ids[index + 1] ?? null)));

    expect(operations.flatMap(({ after }) => after)).toHaveLength(ids.length - 1);
  });

  test("move apart from other changes of theirs, for which nothing below waits", () => {
    expect(graphOf(scalar("Domain", domain("b"), "name", "B"), moved("b", "d"), moved("a", "b"))).toEqual([
      [properties("b"), []],
      [properties("b"), []],
      [properties("a"), [properties("b")]],
    ]);
    expect(ofChanges(moved("a", "b"), moved("b", "d"))[1]?.after).toEqual(["1"]);
  });

  test("are created after the domains above them, whatever becomes of moves further up", () => {
    expect(
      graphOf(
        scalar("Domain", domain("a"), "parent_domain", domain("b"), "create"),
        scalar("Domain", domain("b"), "parent_domain", domain("c"), "create"),
        moved("c", "d"),
      ),
    ).toEqual([
      [properties("b"), []],
      [properties("a"), [properties("b")]],
      [properties("c"), []],
    ]);
  });
});

describe("assets that are in one data product only", () => {
  const [sales, stock] = ["sales", "stock"].map((id) => urn(`urn:li:dataProduct:${id}`)) as [Urn, Urn];
  const b = datasetNamed("b");
  const assets = (of: Urn, add: readonly Urn[], remove: readonly Urn[]): Change =>
    change("DataProduct", of, "assets", { add, remove });
  const sent = (of: Urn): string => `${of} dataProductProperties -`;

  test("leave one after they are in the other", () => {
    expect(graphOf(assets(sales, [], [a]), assets(stock, [a], []))).toEqual([
      [sent(stock), []],
      [sent(sales), [sent(stock)]],
    ]);
    expect(graphOf(assets(sales, [], [a]), assets(stock, [b], []))).toEqual([
      [sent(sales), []],
      [sent(stock), []],
    ]);
  });

  test("wait for nothing where two products exchange them", () => {
    expect(graphOf(assets(sales, [b], [a]), assets(stock, [a], [b]))).toEqual([
      [sent(sales), []],
      [sent(stock), []],
    ]);
  });
});

describe("memberships", () => {
  const joined = change("Group", fin, "members", { add: [alice], remove: [] });
  const left = (group: Urn): Change => change("Group", group, "members", { add: [], remove: [bob] });

  test("are written one after the other, whoever they concern, and beside no other write of group or user", () => {
    expect(ofChanges(joined, left(ops)).map(({ locks }) => locks)).toEqual([
      ["memberships", fin, alice],
      ["memberships", ops, bob],
      ["memberships", ops, bob],
    ]);
  });

  test("come after the user and the whole group that are created with them", () => {
    expect(graphOf(bare("Group", fin), joined, bare("User", alice))).toEqual([
      [`${fin} origin`, []],
      [`${fin} corpGroupInfo`, [`${fin} origin`]],
      [`${alice} corpUserInfo`, []],
      ["addGroupMembers", [`${fin} corpGroupInfo`, `${alice} corpUserInfo`]],
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
    expect(operations.map(({ removes }) => removes)).toEqual([[bob], [bob], [bob], [bob]]);
  });

  test("that end in a group that is created come after it", () => {
    const changes = [{ ...left(fin), action: "create" } as Change];

    expect(graphOf(...changes)).toEqual([
      [`${fin} origin`, []],
      [`${fin} corpGroupInfo`, [`${fin} origin`]],
      ["removeGroupMembers", [`${fin} corpGroupInfo`]],
      [`${bob} groupMembership -`, [`${fin} corpGroupInfo`]],
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
        locks: [of],
        after: [],
        changes: [deletion],
      },
    ]);
  });

  test("of a structured property is a proposal that soft-deletes it", () => {
    const property = urn("urn:li:structuredProperty:acme.retention");

    expect(ofChanges(bare("StructuredProperty", property, "delete")).map(({ request }) => request)).toEqual([
      {
        type: "proposal",
        urn: property,
        aspect: "status",
        initial: {},
        set: { removed: true },
      },
    ]);
  });

  test("comes after all else, and after what is deleted below it", () => {
    const below = { ...bare("Domain", domain("below"), "delete"), above: [domain("above")] };

    expect(
      graphOf(
        below,
        bare("Domain", domain("above"), "delete"),
        bare("Tag", tag, "delete"),
        change("Dataset", a, "tags", { add: ["urn:li:tag:n"], remove: [tag] }),
        scalar("Dataset", a, "domain", null),
      ),
    ).toEqual([
      ["addTags", []],
      ["removeTag", ["addTags"]],
      ["unsetDomain", []],
      ["deleteDomain", ["removeTag", "unsetDomain"]],
      ["deleteDomain", ["deleteDomain"]],
      ["deleteTag", ["removeTag", "unsetDomain"]],
    ]);
  });

  test("of what cannot be deleted is nothing", () => {
    expect(ofChanges(bare("Dataset", a, "delete"))).toEqual([]);
  });
});
