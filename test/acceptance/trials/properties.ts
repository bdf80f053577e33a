import { facetsOf } from "../../../src/facets/index.ts";
import { assetKinds, kindOf } from "../../../src/kinds/index.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { column, isDefined } from "../assigned-places.ts";
import { expectEqual } from "../expect-equal.ts";
import { makeAsset, makeDataset, named } from "../made-assets.ts";
import { facetRow } from "../required.ts";
import type { Trial, Trying } from "../trial.ts";

const definition = kindOf("StructuredProperty");

const ofDefinition = facetsOf(definition.name).filter(
  (facet) => isDefined(facet) && definition.storage[facet.name] === undefined,
);

const having = assetKinds.filter(({ hasStructuredProperties }) => hasStructuredProperties);

const rowsOfAssets = having.flatMap((kind) =>
  facetsOf(kind.name)
    .filter(isDefined)
    .map(({ name }) => ({ kind, name, row: facetRow(kind, name) })),
);

/** The operations that write values. */
const [upserted, removed, edited] = [
  "upsertStructuredProperties",
  "removeStructuredProperties",
  "ingestProposal structuredProperties",
] as const;

const retyped = "another type of a structured property";

/** What an asset has of the property with one value, and of those with several. */
interface Values {
  readonly one: Json;
  readonly some: readonly Json[];
  readonly numbers: readonly Json[];
}

const [a, b, c] = ["a 東京", "b e\u0301tat 😀", "c Zürich"] as const;

const rounds: readonly Values[] = [
  { one: 90, some: [a, b], numbers: [0.5, 3] },
  { one: 410_258.29, some: [b, c], numbers: [3, 0.1] },
  { one: null, some: [], numbers: [] },
];

/** The mutations that write a single value: none of a number that a mutation would narrow. */
function writesOf(one: Json): readonly string[] {
  if (one === null) return [removed];
  return typeof one === "number" && Math.fround(one) !== one ? [] : [upserted];
}

/** Structured properties are defined; their values are set, replaced and taken away, of assets and of columns. */
export const properties: Trial = {
  name: "properties",
  tries: [
    ...ofDefinition.map(({ name }) => facetRow(definition, name)),
    ...rowsOfAssets.map(({ row }) => row),
    upserted,
    removed,
    edited,
    retyped,
  ],
  run: async (trying) => {
    for (const kind of having) {
      await makeAsset(trying, kind, "main");
      if (kind.matching?.hasColumns === true) trying.urnOfColumn(trying.urnOf(kind, "main"), column);
    }
    trying.declare({ "properties.yaml": definitionsOf(trying) });
    const defined = await trying.apply();
    for (const { name } of ofDefinition)
      await trying.check(facetRow(definition, name), async () => expectDefined(trying), defined);
    trying.goOn(defined);
    for (const values of rounds) {
      trying.declare({ "assets.yaml": assetsOf(trying, values) });
      const applied = await trying.apply();
      for (const { kind, name, row } of rowsOfAssets) {
        const asset = trying.urnOf(kind, "main");
        const urn = name.startsWith("columns.") ? trying.urnOfColumn(asset, column) : asset;
        const check = async (): Promise<void> => expectValues(trying, urn, values);
        await trying.check(row, check, applied);
        for (const operation of [...writesOf(values.one), edited])
          await trying.operation(operation, applied, check);
      }
      trying.goOn(applied);
    }
    await retype(trying);
  },
};

/** Values of the old type are written anew with the definition, because the server refuses every write beside them. */
async function retype(trying: Trying): Promise<void> {
  const { id, urn, stored } = trying;
  const asset = await makeDataset(trying, "retyped");
  const property = urn(definition.entityType, "retyped");
  const common = {
    kind: definition.name,
    id: id("retyped"),
    entity_types: ["dataset"],
    cardinality: "MULTIPLE",
  };
  const declare = (more: JsonObject, values: readonly Json[]): void =>
    trying.declare({
      "retyped.yaml": [
        { ...common, ...more },
        { ...named(trying, "retyped"), structured_properties: { [id("retyped")]: values } },
      ],
    });
  declare({ value_type: "number" }, [3, 0.1]);
  trying.goOn(await trying.apply());
  declare({ value_type: "string", version: "20270101000000" }, ["3", "0.1"]);
  const applied = await trying.apply();
  await trying.check(
    retyped,
    async () => {
      const { structuredProperties: found } = await stored.aspects(asset);
      const list = (isJsonList(found?.["properties"]) ? found["properties"] : []).filter(isJsonObject);
      const own = list.find(({ propertyUrn }) => propertyUrn === property);
      expectEqual("the values", sorted(own?.["values"]), sorted([{ string: "3" }, { string: "0.1" }]));
      await trying.run(["plan"]);
    },
    applied,
  );
  trying.goOn(applied);
}

const types = [...having.map(({ entityType }) => entityType), "schemaField"];

function definitionsOf({ id }: Trying): readonly JsonObject[] {
  const common = { kind: definition.name, entity_types: types };
  return [
    {
      ...common,
      id: id("one"),
      value_type: "number",
      allowed_values: [{ value: 90 }, { value: 410_258.29 }],
    },
    { ...common, id: id("some"), cardinality: "MULTIPLE" },
    { ...common, id: id("numbers"), cardinality: "MULTIPLE", value_type: "number" },
  ];
}

async function expectDefined({ stored, urn }: Trying): Promise<void> {
  const { propertyDefinition: found = {} } = await stored.aspects(urn(definition.entityType, "one"));
  const { valueType, allowedValues, entityTypes } = found;
  expectEqual("the type of values", valueType, "urn:li:dataType:datahub.number");
  const allowed = [{ value: { double: 90 } }, { value: { double: 410_258.29 } }];
  expectEqual("the allowed values", sorted(allowedValues), sorted(allowed));
  const all = types.map((type) => `urn:li:entityType:datahub.${type}`);
  expectEqual("the entity types", sorted(entityTypes), sorted(all));
}

function sorted(list: Json | undefined): readonly string[] {
  return (isJsonList(list) ? list : []).map((each) => JSON.stringify(each)).toSorted();
}

function assetsOf(trying: Trying, { one, some, numbers }: Values): readonly JsonObject[] {
  const values = {
    [trying.id("one")]: one ?? "none",
    [trying.id("some")]: some,
    [trying.id("numbers")]: numbers,
  };
  return having.map((kind) => ({
    kind: kind.name,
    ...kind.identityOf(trying.urnOf(kind, "main")),
    structured_properties: values,
    ...(kind.matching?.hasColumns === true && { columns: { [column]: { structured_properties: values } } }),
  }));
}

async function expectValues({ stored, urn }: Trying, of: Urn, { one, some, numbers }: Values): Promise<void> {
  const { structuredProperties: found } = await stored.aspects(of);
  const list = found?.["properties"];
  const valuesOf = (name: string): readonly string[] => {
    const property = urn(definition.entityType, name);
    const own = (isJsonList(list) ? list : []).filter(isJsonObject);
    return sorted(own.find(({ propertyUrn }) => propertyUrn === property)?.["values"]);
  };
  expectEqual(`the value of ${of}`, valuesOf("one"), sorted(one === null ? [] : [{ double: one }]));
  expectEqual(`the values of ${of}`, valuesOf("some"), sorted(some.map((string) => ({ string }))));
  expectEqual(`the numbers of ${of}`, valuesOf("numbers"), sorted(numbers.map((double) => ({ double }))));
}
