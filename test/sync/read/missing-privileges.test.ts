import { expect, test } from "vitest";
import type { Reader } from "../../../src/datahub/client.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { WriteMode } from "../../../src/model/operation.ts";
import { type Entity, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { type MissingPrivilege, missingPrivileges } from "../../../src/sync/read/missing-privileges.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const [alice, bob, pii] = [urn("urn:li:corpuser:alice"), urn("urn:li:corpuser:bob"), urn("urn:li:tag:pii")];
const [orders, clicks] = ["orders", "clicks"].map(datasetNamed) as [Urn, Urn];

interface Granted {
  readonly platform?: readonly string[];
  readonly own?: Readonly<Record<Urn, readonly string[]>>;
}

/** The answer to a request for the privileges of several entities. */
function granting({ platform = [], own = {} }: Granted): Reader["query"] {
  const query = (_: string, { actor: _actor, ...resources }: JsonObject): JsonObject => {
    const answers = Object.entries(resources).map(([name, resource]) => {
      const { resourceUrn } = resource as { resourceUrn: Urn };
      return [name.replace("r", "p"), { privileges: own[resourceUrn] ?? null }];
    });
    return { platform: { privileges: platform }, ...Object.fromEntries(answers) };
  };
  return async (...asked) => await Promise.resolve({ data: query(asked[0], asked[1]), errors: [] });
}

async function missing(
  query: Reader["query"],
  entities: readonly Entity[],
  writes: WriteMode = "graphql",
): Promise<readonly MissingPrivilege[]> {
  return await missingPrivileges({ query } as Reader, alice, { desired: stateOf(...entities), writes });
}

const dataset = (of: Urn, ...facets: readonly string[]): Entity =>
  entityOf("Dataset", of, Object.fromEntries(facets.map((name) => [name, setOf([])])));
const tag = entityOf("Tag", pii, { description: setOf([]) });
const [editEntity, editTags] = ['EDIT_ENTITY ("Edit Entity")', 'EDIT_ENTITY_TAGS ("Edit Tags")'];

test("each facet of an asset needs its own privilege, a definition that of its aspects", async () => {
  const entities = [
    dataset(orders, "tags", "owners"),
    dataset(clicks, "tags", "data_products"),
    tag,
    entityOf("User", bob, {}),
  ];
  expect(await missing(granting({}), entities)).toEqual([
    { privilege: editTags, entities: 2, first: orders },
    { privilege: 'EDIT_ENTITY_OWNERS ("Edit Owners")', entities: 1, first: orders },
    { privilege: editEntity, entities: 1, first: pii },
    { privilege: 'MANAGE_USERS_AND_GROUPS ("Manage Users & Groups")', entities: 1, first: bob },
  ]);
});

const team = urn("urn:li:corpGroup:team");
const group = (...facets: readonly string[]): Entity =>
  entityOf("Group", team, Object.fromEntries(facets.map((name) => [name, setOf([])])));
test("a group's description needs the privilege of its aspects, because a proposal writes it", async () => {
  const query = granting({ platform: ["MANAGE_USERS_AND_GROUPS"] });
  expect(await missing(query, [group("description")])).toEqual([]);
});

const [manage, editOwners, editMembers] = [
  'MANAGE_USERS_AND_GROUPS ("Manage Users & Groups")',
  'EDIT_ENTITY_OWNERS ("Edit Owners")',
  'EDIT_GROUP_MEMBERS ("Edit Group Members")',
];

test.each<readonly [string, WriteMode, readonly string[], readonly string[]]>([
  ["nothing", "graphql", [], [manage, editOwners, editMembers]],
  [
    "what it takes to manage users and groups",
    "graphql",
    ["MANAGE_USERS_AND_GROUPS"],
    [editOwners, editMembers],
  ],
  [
    "that, and what it takes to edit entities",
    "graphql",
    ["MANAGE_USERS_AND_GROUPS", "EDIT_ENTITY"],
    [editMembers],
  ],
  ["that on a condition", "conditional", ["MANAGE_USERS_AND_GROUPS"], [editMembers]],
])(
  "owners and members of a group need their own privileges: a token with %s",
  async (_, writes, platform, expected) => {
    const found = await missing(granting({ platform }), [group("display_name", "owners", "members")], writes);
    expect(found.map(({ privilege }) => privilege)).toEqual(expected);
  },
);

test("where assets are written on a condition, each needs the privilege of its aspects", async () => {
  expect(await missing(granting({}), [dataset(orders, "tags", "owners")], "conditional")).toEqual([
    { privilege: editEntity, entities: 1, first: orders },
  ]);
});

test("a facet that several privileges allow counts once for an entity", async () => {
  const found = await missing(granting({}), [
    dataset(orders, "structured_properties", "columns.structured_properties"),
  ]);
  expect(found).toMatchObject([{ entities: 1 }]);
});

test.each<readonly [string, Granted, readonly string[]]>([
  ["on the platform", { platform: ["EDIT_ENTITY_TAGS"] }, []],
  ["on the entity", { own: { [orders]: ["EDIT_ENTITY_TAGS"] } }, [clicks]],
  ["for all of the entity", { own: { [clicks]: ["EDIT_ENTITY"] } }, [orders]],
  ["for something else", { platform: ["EDIT_ENTITY_OWNERS"] }, [orders]],
])("a privilege %s is not missing there", async (_, granted, expected) => {
  const found = await missing(granting(granted), [dataset(orders, "tags"), dataset(clicks, "tags")]);
  expect(found.map(({ first }) => first)).toEqual(expected);
});

test("of each kind the first twenty entities are looked at", async () => {
  const datasets = Array.from({ length: 21 }, (_, index) => dataset(datasetNamed(`d${index}`), "tags"));
  expect(await missing(granting({}), [...datasets, tag])).toMatchObject([{ entities: 20 }, { entities: 1 }]);
});

test.each<readonly [string, readonly { readonly message: string }[], string]>([
  ["the reason of the server", [{ message: "busy" }], "the privileges could not be read: busy"],
  ["that there is no answer", [], "the privileges could not be read: no response"],
])("an answer without privileges is an error that says %s", async (_, errors, message) => {
  const query: Reader["query"] = async () => await Promise.resolve({ data: null, errors });
  await expect(missing(query, [tag])).rejects.toThrow(message);
});
