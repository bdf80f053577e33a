import { expect, test } from "vitest";
import { kinds } from "../../../src/kinds/index.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Existence } from "../../../src/model/reference.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  existenceDocument,
  existenceOf,
  existenceVariables,
  readExistence,
} from "../../../src/sync/read/existence.ts";
import type { Reading } from "../../../src/sync/read/readings.ts";
import type { MadeAspect } from "../../support/catalog.ts";
import { urn } from "../../support/states.ts";
import { askingCatalog } from "./asking.ts";

const [pii, gone, none] = ["pii", "gone", "none"].map((id) => urn(`urn:li:tag:${id}`)) as [Urn, Urn, Urn];
const admin = urn("urn:li:ownershipType:admin");

test("what is there, soft-deleted, absent or fails is told apart", async () => {
  const { reader, asked } = await askingCatalog([
    [pii, "tagProperties", { name: "pii" }],
    [gone, "status", { removed: true }],
    [admin, "ownershipTypeInfo", { name: "admin" }],
  ]);
  expect(Object.fromEntries(await readExistence(reader, [pii, gone, none, admin]))).toEqual({
    [pii]: { status: "present" },
    [gone]: { status: "soft-deleted" },
    [none]: { status: "absent" },
    [admin]: { status: "present" },
  });
  expect(asked).toEqual([["ReadExistence", pii, gone, none]]);
});

test("a query asks whether each is there, and for the status of those that can be soft-deleted", () => {
  expect(existenceVariables([pii, admin, gone])).toEqual({ u0: pii, u1: admin, u2: gone, urns: [pii, gone] });
  const document = existenceDocument(2, "__typename");
  expect(document).toContain(
    "query ReadExistence($urns: [String!]!, $u0: String!, $u1: String!) { __typename e0: entityExists(urn: $u0) e1: entityExists(urn: $u1) entities(urns: $urns) { urn ... on ",
  );
  expect(document.match(/ \.\.\. on \w+ \{ aspects\(input: \{ aspectNames: \["status"\] \}\)/g)).toHaveLength(
    kinds.filter(({ softDeletable, aspectFields }) => softDeletable && !aspectFields).length,
  );
});

test("a structured property is soft-deleted by what is stored of it, which GraphQL does not show", async () => {
  const [kept, hidden, other] = ["kept", "hidden", "other"].map((id) =>
    urn(`urn:li:structuredProperty:${id}`),
  ) as [Urn, Urn, Urn];
  const definition = (id: string) => ({
    qualifiedName: id,
    valueType: "urn:li:dataType:datahub.string",
    entityTypes: [],
  });
  const { reader } = await askingCatalog([
    [kept, "propertyDefinition", definition("kept")],
    [hidden, "propertyDefinition", definition("hidden")],
    [hidden, "status", { removed: true }],
  ]);
  const refusing = { ...reader, stored: { read: async () => "refused" as const } };
  expect(Object.fromEntries(await readExistence(reader, [kept, hidden, other]))).toEqual({
    [kept]: { status: "present" },
    [hidden]: { status: "soft-deleted" },
    [other]: { status: "absent" },
  });
  expect((await readExistence(refusing, [kept])).get(kept)).toEqual({
    status: "unreadable",
    error: "the server does not return its stored aspects",
  });
});

const aspects = (status: unknown): JsonObject => ({
  aspects: [{ aspectName: "status", payload: JSON.stringify(status) }],
});
const silent = { status: "unreadable", error: "the server's response does not contain this entity" } as const;

test.each<readonly [string, Urn, Partial<Reading>, Existence]>([
  ["with an error", pii, { alias: false, error: "busy" }, { status: "unreadable", error: "busy" }],
  ["as absent", pii, { alias: false }, { status: "absent" }],
  ["as there, without a status", pii, { alias: true, entity: { aspects: [] } }, { status: "present" }],
  [
    "as there, and restored",
    pii,
    { alias: true, entity: aspects({ removed: false }) },
    { status: "present" },
  ],
  [
    "as there, and removed",
    pii,
    { alias: true, entity: aspects({ removed: true }) },
    { status: "soft-deleted" },
  ],
  ["as there, where it has no status", admin, { alias: true }, { status: "present" }],
  ["without a word, where it has no status", admin, { alias: null }, silent],
  ["without a word", pii, { entity: { aspects: [] } }, silent],
  ["as there, without its status", pii, { alias: true }, silent],
  ["as there, without any aspects", pii, { alias: true, entity: {} }, silent],
  [
    "as there, with a status that says nothing",
    pii,
    { alias: true, entity: aspects({ removed: "no" }) },
    {
      status: "unreadable",
      error:
        "the server returned a malformed response: the status does not state whether the entity is removed",
    },
  ],
  [
    "as there, with a malformed aspect",
    pii,
    { alias: true, entity: { aspects: [{}] } },
    { status: "unreadable", error: "the server returned a malformed response: an aspect has no name" },
  ],
])("an entity that is answered %s is taken for that", (_, of, more, expected) => {
  expect(existenceOf(of, { entity: undefined, alias: undefined, error: undefined, ...more })).toEqual(
    expected,
  );
});

test.each([[{ urn: pii, aspects: [] }], [null]])(
  "an error at the status of an entity, answered as %j, makes that one unreadable, whatever stands beside it",
  async (answered) => {
    const { reader } = await askingCatalog([]);
    const query: typeof reader.query = async () => ({
      data: { e0: true, e1: true, entities: [answered] },
      errors: [{ message: "no", path: ["entities", 0, "aspects"] }],
    });
    expect(await readExistence({ ...reader, query }, [admin, pii])).toEqual(
      new Map<Urn, Existence>([
        [admin, { status: "present" }],
        [pii, { status: "unreadable", error: "no" }],
      ]),
    );
  },
);

const definition = (id: string): MadeAspect => [
  `urn:li:structuredProperty:${id}`,
  "propertyDefinition",
  { qualifiedName: id, valueType: "urn:li:dataType:datahub.string", entityTypes: [] },
];

test("whether a property is soft-deleted is not known where the token may not view it", async () => {
  const days = urn("urn:li:structuredProperty:days");
  const world: readonly MadeAspect[] = [definition("days"), [days, "status", { removed: true }]];
  const { reader } = await askingCatalog(world, {}, { restrict: new Set([days]) });
  const found = await readExistence(reader, [days]);
  expect(found.get(days)).toMatchObject({
    status: "unreadable",
    error: expect.stringContaining("may not view"),
  });
});

test("no request asks for what is stored of more than 100 entities", async () => {
  const ids = Array.from({ length: 201 }, (_, index) => `p${index}`);
  const { reader } = await askingCatalog(ids.map(definition));
  const sizes: number[] = [];
  const read: typeof reader.stored.read = (type, wanted, ...rest) => {
    sizes.push(wanted.length);
    return reader.stored.read(type, wanted, ...rest);
  };
  const urns = ids.map((id) => urn(`urn:li:structuredProperty:${id}`));
  await readExistence({ ...reader, stored: { read } }, urns);
  expect(sizes).toEqual([100, 100, 1]);
});
