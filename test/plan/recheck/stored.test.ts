import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { Live } from "../../../src/model/live.ts";
import { type Entity, type FacetValue, type Member, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { operationsOf } from "../../../src/plan/order/operations.ts";
import { nowStored } from "../../../src/plan/recheck/stored.ts";
import type { CatalogNow } from "../../../src/plan/recheck/verdict.ts";
import { datasetNamed, entityOf, liveOf, stateOf, urn } from "../../support/states.ts";

const a = datasetNamed("a");
const group = urn("urn:li:corpGroup:fin");
const domain = (id: string): Urn => urn(`urn:li:domain:${id}`);
const [alice, tag, pii] = [urn("urn:li:corpuser:alice"), urn("urn:li:tag:new"), urn("urn:li:tag:pii")];

const about = { action: "update", fingerprint: "" } as const;

/** What an aspect of these changes tells when it holds this. */
function stored(
  changes: readonly Change[],
  aspect: string,
  value: unknown,
  created: readonly Urn[] = [],
): CatalogNow {
  for (const operation of operationsOf({ changes, writes: "conditional" })) {
    const { request } = operation;
    if (request.type === "proposal" && request.aspect === aspect)
      return nowStored(operation, request, value, new Set(created));
  }
  throw new Error(`nothing writes ${aspect}`);
}

const holding = (entity: Entity): Live => liveOf(stateOf(entity));

const assigned = (facet: string, element: Member, more: object = {}): Change => ({
  ...about,
  kind: "Dataset",
  urn: a,
  shape: "set",
  facet,
  add: [element],
  remove: [],
  ...more,
});
const owned = assigned("owners", { owner: alice, type: "urn:li:ownershipType:__system__technical_owner" });
const of = (kind: string, urnOf: Urn, facet: string, after: string): Change => ({
  ...about,
  kind,
  urn: urnOf,
  shape: "scalar",
  facet,
  before: null,
  after,
});

describe("an aspect tells the values that it keeps", () => {
  const columns: FacetValue = {
    shape: "map",
    entries: new Map([
      ["id", setOf([pii])],
      ["email", setOf([])],
    ]),
  };
  const tags = (...urns: readonly string[]): object => ({ tags: urns.map((each) => ({ tag: each })) });

  test.each<readonly [string, readonly Change[], string, unknown, Entity]>([
    [
      "fields, of which some are not there",
      [of("User", alice, "title", "Lead"), of("User", alice, "email", "a@b.c")],
      "corpUserInfo",
      { active: true, title: "Head", displayName: "Alice" },
      entityOf("User", alice, { title: scalarOf("Head"), email: scalarOf(null) }),
    ],
    [
      "elements",
      [assigned("tags", tag)],
      "globalTags",
      tags(pii, tag),
      entityOf("Dataset", a, { tags: setOf([pii, tag]) }),
    ],
    [
      "elements of the columns that change",
      ["id", "email"].map((column) => assigned("columns.tags", tag, { path: [column] })),
      "editableSchemaMetadata",
      { editableSchemaFieldInfo: ["id", "name"].map((fieldPath) => ({ fieldPath, globalTags: tags(pii) })) },
      entityOf("Dataset", a, { "columns.tags": columns }),
    ],
    [
      "no elements where there is no such aspect",
      [owned],
      "ownership",
      undefined,
      entityOf("Dataset", a, { owners: setOf([]) }),
    ],
    [
      "no elements where it is no mapping",
      [owned],
      "ownership",
      [],
      entityOf("Dataset", a, { owners: setOf([]) }),
    ],
  ])("%s", (_, changes, aspect, value, entity) => {
    expect(stored(changes, aspect, value).live).toEqual(holding(entity));
  });
});

test("what other entities and other aspects hold was looked at before", () => {
  const move: Change = {
    ...of("Domain", domain("a"), "parent_domain", domain("b")),
    above: [domain("t")],
  };
  const now = stored([move], "domainProperties", { name: "A" }, [group]);

  expect(now).toEqual({
    live: holding(entityOf("Domain", domain("a"), { parent_domain: scalarOf(null) })),
    created: new Set([group]),
    moved: new Set([domain("b"), domain("t")]),
  });
  expect(stored([owned], "ownership", {}).moved).toEqual(new Set([alice]));
});

describe("of a new entity", () => {
  const changes: readonly Change[] = ["picture_link", "display_name"].map((facet) => ({
    ...of("Group", group, facet, "x"),
    action: "create",
  }));
  const unnamed = holding(entityOf("Group", group, { display_name: scalarOf(null) }));

  test("the aspect that is not there tells that it is not there", () => {
    expect(stored(changes, "corpGroupInfo", undefined)).toEqual({
      live: liveOf(new Map(), stateOf(entityOf("Group", group, {}))),
      created: new Set(),
      moved: new Set(),
    });
  });

  test.each<readonly [string, unknown, readonly Urn[]]>([
    ["that is there", { members: [] }, []],
    ["that is missing, though the entity was just created", undefined, [group]],
  ])("the aspect %s tells of its own fields alone", (_, value, created) => {
    expect(stored(changes, "corpGroupInfo", value, created).live).toEqual(unnamed);
  });

  test("that declares nothing else the aspect tells whether it is there", () => {
    const bare: Change = { action: "create", shape: "entity", kind: "Tag", urn: tag, fingerprint: "" };

    expect(stored([bare], "tagProperties", { name: "new" }).live).toEqual(holding(entityOf("Tag", tag, {})));
    expect(stored([bare], "tagProperties", undefined).live.missing).toEqual(new Map([[tag, "absent"]]));
  });
});
