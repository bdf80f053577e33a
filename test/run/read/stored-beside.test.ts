import { expect, test } from "vitest";
import type { Reader } from "../../../src/datahub/client.ts";
import { type Entity, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { readStored, type StoredBeside, withStored } from "../../../src/run/read/stored-beside.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const [days, tier] = ["days", "tier"].map((id) => urn(`urn:li:structuredProperty:${id}`)) as [Urn, Urn];
const version = { propertyDefinition: { value: { version: "20270630120000" } } };

const property = (of: Urn): Entity =>
  entityOf("StructuredProperty", of, { version: scalarOf("1"), cardinality: scalarOf("SINGLE") });

/** What is read beside GraphQL of these entities, and what was asked for. */
async function beside(
  answer: Awaited<ReturnType<Reader["stored"]["read"]>>,
  entities: readonly Entity[],
  urns: readonly Urn[],
): Promise<{ readonly found: StoredBeside; readonly asked: readonly unknown[] }> {
  const asked: unknown[] = [];
  const read: Reader["stored"]["read"] = async (entityType, wanted) => {
    asked.push([entityType, wanted.map(({ urn: of, aspects }) => [of, aspects])]);
    return answer;
  };
  const reader = { stored: { read } } as Partial<Reader> as Reader;
  return { found: await readStored(reader, stateOf(...entities), urns, {}), asked };
}

test("what GraphQL does not show is read of the entities that declare it, and of no others", async () => {
  const entities = [
    property(days),
    property(tier),
    entityOf("StructuredProperty", urn("urn:li:structuredProperty:plain"), {
      cardinality: scalarOf("SINGLE"),
    }),
    entityOf("Tag", urn("urn:li:tag:pii"), { description: scalarOf("x") }),
    entityOf("Dataset", datasetNamed("a"), { tags: setOf([]) }),
  ];
  const urns = [...stateOf(...entities).keys(), urn("urn:li:structuredProperty:other")];
  const { found, asked } = await beside(new Map([[days, version]]), entities, urns);
  const aspects = ["propertyDefinition"];
  expect(asked).toEqual([
    [
      "structuredProperty",
      [
        [days, aspects],
        [tier, aspects],
      ],
    ],
  ]);
  expect([...found]).toEqual([
    [days, { propertyDefinition: { version: "20270630120000" } }],
    [tier, {}],
  ]);
});

test("an answered entity has what was read beside it as well", async () => {
  const { found } = await beside(new Map([[days, version]]), [property(days)], [days]);
  const own = { propertyDefinition: { version: "20270630120000" } };
  const answered = { urn: days, aspects: { status: {}, propertyDefinition: {} } };
  expect(withStored(answered, days, found)).toEqual({ urn: days, aspects: { status: {}, ...own } });
  expect(withStored({ urn: days, aspects: null }, days, found)).toEqual({ urn: days, aspects: own });
  expect(withStored({ urn: tier }, tier, found)).toEqual({ urn: tier });
});

test("an entity of which the server refuses what is stored is not known", async () => {
  const { found } = await beside("refused", [property(days)], [days]);
  expect(() => withStored({ urn: days }, days, found)).toThrow(
    "the server does not answer what is stored of it",
  );
});

test("of a server that does not know the request nothing is known beside its answers", async () => {
  const { found } = await beside("unknown", [property(days)], [days]);
  expect(withStored({ urn: days }, days, found)).toEqual({ urn: days });
});
