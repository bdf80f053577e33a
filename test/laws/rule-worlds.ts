import fc from "fast-check";
import type { Facet } from "../../src/facets/facet.ts";
import { facetsOf } from "../../src/facets/index.ts";
import { isOfColumns } from "../../src/facets/places.ts";
import type { Asset, AssetColumn, ColumnRule, Condition, Rule } from "../../src/model/rule.ts";
import {
  type Entity,
  type FacetValue,
  type Leaf,
  scalarOf,
  setOf,
  type State,
} from "../../src/model/state.ts";
import { assetPartsOf } from "../../src/model/asset-urn.ts";
import { type Urn } from "../../src/model/urn.ts";
import type { Declared } from "../../src/plan/rules/expand.ts";
import { assetNamed, originOf, ruleOf, where } from "../support/assets.ts";
import { type MadeAspect } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { datasetNamed, entityOf, urn } from "../support/states.ts";

/** Assets, and what documents and rules declare of them. */
export interface RuleWorld extends Declared {
  readonly assets: readonly Asset[];
  readonly live: State;
}

const chart = urn("urn:li:chart:(looker,fin.a)");
/** What may be found: datasets, and an asset of another kind that matches the same conditions. */
const urns = [...["fin.a", "fin.b", "fin.tmp", "crm.a", "crm.b"].map(datasetNamed), chart];
const paths = ["email", "id", "[version=2.0].[type=struct].[type=string].phone"];
const tagIds = ["x", "y", "z"];
const termIds = ["p", "q"];
const domainIds = ["finance", "sales"];
/** A container that is in another one. */
const [schema, database] = [urn("urn:li:container:schema"), urn("urn:li:container:db")];
const places: readonly (readonly Urn[])[] = [[], [database], [schema, database]];

/** The values that facets are given; those below a key have the last part of their name. */
const values: Readonly<Record<string, fc.Arbitrary<Leaf>>> = {
  tags: setsOf("tag", tagIds),
  glossary_terms: setsOf("glossaryTerm", termIds),
  domain: fc
    .constantFrom(null, ...domainIds.map((id) => `urn:li:domain:${id}`))
    .map((each) => scalarOf(each)),
  description: fc.constantFrom(null, "Ledgers.", "Payments.").map((each) => scalarOf(each)),
};

function setsOf(type: string, ids: readonly string[]): fc.Arbitrary<Leaf> {
  return fc.subarray([...ids]).map((some) => setOf(some.map((id) => urn(`urn:li:${type}:${id}`))));
}

/** The facets of a kind that worlds know, of columns or of an asset itself. */
function facetsOfKind(kind: string, areOfColumns: boolean): readonly Facet[] {
  return facetsOf(kind).filter(({ name }) => isOfColumns(name) === areOfColumns && lastOf(name) in values);
}

function lastOf(facet: string): string {
  return facet.split(".").at(-1) ?? "";
}

type Leaves = Readonly<Record<string, Leaf>>;

/** Some of these facets, or all, each with a value. */
function leavesFor(some: readonly Facet[], areAll = false): fc.Arbitrary<Leaves> {
  const drawn = some.map(({ name }) => [name, values[lastOf(name)] ?? fc.constant(setOf([]))] as const);
  return fc.record(Object.fromEntries(drawn), areAll ? {} : { requiredKeys: [] }) as fc.Arbitrary<Leaves>;
}

/** The same, each declared at a place of its own. */
function declaredAt(at: string, leaves: Leaves): ReadonlyMap<string, Leaf> {
  const declared = Object.entries(leaves).map(
    ([facet, leaf]) => [facet, { ...leaf, origin: originOf(`${at}-${facet}`) }] as const,
  );
  return new Map(declared);
}

/** What is found, and each dataset with its columns where it has some. */
const assets: fc.Arbitrary<readonly Asset[]> = fc
  .subarray(urns, { minLength: 1 })
  .chain((some) =>
    fc.tuple(
      ...some.map((own) =>
        fc
          .record({ paths: fc.subarray(paths), containers: fc.constantFrom(...places), isView: fc.boolean() })
          .map(({ isView, ...facts }) => assetOf(own, { ...facts, subtypes: isView ? ["View"] : [] })),
      ),
    ),
  );

function assetOf(
  own: Urn,
  { paths: columns, ...facts }: Pick<Asset, "containers" | "subtypes"> & { readonly paths: string[] },
): Asset {
  const { name, platform } = assetPartsOf(own);
  if (own === chart) return { urn: own, kind: "Chart", name, platform, ...facts };
  return assetNamed(name, { ...facts, paths: columns });
}

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.subarray(["fin.*", "*.a", "crm.b", "*"], { minLength: 1 }).map((all) => where("name", ...all)),
  fc
    .constantFrom("snowflake", "urn:li:dataPlatform:snowflake", "looker", "kafka")
    .map((each) => where("platform", each)),
  fc.constantFrom("db", "urn:li:container:schema").map((each) => where("container", each)),
  fc.constant(where("subtype", "View")),
);

/** Conditions as a manifest can hold them: each with a key of its own. */
function conditions(minLength: number): fc.Arbitrary<readonly Condition[]> {
  return fc.uniqueArray(condition, { minLength, maxLength: 2, selector: ({ key }) => key });
}

const columnRule: fc.Arbitrary<ColumnRule> = fc
  .record({
    pattern: fc.constantFrom("*", "*e*", "phone", "id"),
    declared: leavesFor(facetsOfKind("Dataset", true)).filter((each) => Object.keys(each).length > 0),
    isTyped: fc.boolean(),
  })
  .map(({ pattern, declared, isTyped }) => ({
    pattern,
    ...(isTyped && { nativeTypes: ["VARCHAR*"] }),
    facets: declaredAt("column", declared),
    origin: originOf("column"),
  }));

const rules: fc.Arbitrary<readonly Rule[]> = fc
  .array(
    fc.constantFrom("Dataset", "Dataset", "Chart").chain((kind) =>
      fc.record({
        kind: fc.constant(kind),
        conditions: conditions(0),
        exclusions: fc.array(conditions(1), { maxLength: 1 }),
        declared: leavesFor(facetsOfKind(kind, false)),
        columns: fc.array(columnRule, { maxLength: kind === "Dataset" ? 2 : 0 }),
        priority: fc.nat(3),
      }),
    ),
    { maxLength: 5 },
  )
  .map((all) =>
    all.map(({ declared, ...more }, index) => {
      const id = `r${index}`;
      return ruleOf(id, { ...more, facets: declaredAt(id, declared) });
    }),
  );

/** What documents declare, or the catalog has: without the columns that an asset lacks. */
function entityFor({ urn: own, kind, columns = [] }: Asset, isLive: boolean): fc.Arbitrary<Entity> {
  const ofColumns = facetsOfKind(kind, true);
  return fc
    .record({
      facets: leavesFor(facetsOfKind(kind, false), isLive),
      below: fc.tuple(...columns.map(() => leavesFor(ofColumns, isLive))),
    })
    .map(({ facets, below }) => {
      const maps = ofColumns.flatMap(({ name: facet }): readonly (readonly [string, FacetValue])[] => {
        const entries = columns.flatMap(({ path, name }, index) => {
          const leaf = declaredAt("document", below[index] ?? {}).get(facet);
          return leaf ? [[isLive ? path : name, leaf] as const] : [];
        });
        return entries.length > 0 || isLive ? [[facet, { shape: "map", entries: new Map(entries) }]] : [];
      });
      return entityOf(kind, own, {
        ...Object.fromEntries(declaredAt("document", facets)),
        ...Object.fromEntries(maps),
      });
    });
}

/** Worlds with up to five rules. */
export const ruleWorlds: fc.Arbitrary<RuleWorld> = fc
  .record({ assets, rules })
  .chain(({ assets: found, rules: all }) =>
    fc
      .record({
        documents: fc.tuple(...found.map((asset) => fc.option(entityFor(asset, false), { nil: undefined }))),
        live: fc.tuple(...found.map((asset) => entityFor(asset, true))),
        exempt: fc.array(fc.tuple(fc.constantFrom(...urns), fc.constantFrom("r0", "r1")), { maxLength: 2 }),
      })
      .map(({ documents, live, exempt }) => ({
        assets: found,
        rules: all,
        references: [],
        state: new Map(documents.flatMap((entity) => (entity ? [[entity.urn, entity] as const] : []))),
        live: new Map(live.map((entity) => [entity.urn, entity])),
        exempt: new Map(exempt.map(([of, rule]) => [of, new Set([rule])])),
      })),
  );

/** The assets of a world, as they are loaded into a catalog, with nothing assigned; and what rules assign. */
export function aspectsOf({ assets: found }: RuleWorld): readonly MadeAspect[] {
  return [
    ...tagIds.map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]),
    ...termIds.map((id): MadeAspect => [
      `urn:li:glossaryTerm:${id}`,
      "glossaryTermInfo",
      { name: id, definition: id, termSource: "INTERNAL" },
    ]),
    ...domainIds.map((id): MadeAspect => [`urn:li:domain:${id}`, "domainProperties", { name: id }]),
    ...found.flatMap(({ urn: own, columns = [], containers, subtypes }): readonly MadeAspect[] => {
      const [nearest] = containers;
      return [
        own === chart
          ? [own, "chartInfo", { title: "t", description: "", lastModified: {} }]
          : [own, "schemaMetadata", { ...schemaWith(), fields: columns.map(fieldOf) }],
        ...(nearest ? [[own, "container", { container: nearest }] as const] : []),
        [own, "subTypes", { typeNames: subtypes }],
      ];
    }),
    ...[schema, database].map((each): MadeAspect => [each, "containerProperties", { name: each }]),
    [schema, "container", { container: database }],
  ];
}

function fieldOf({ path, nativeType = "" }: AssetColumn): object {
  const type = { type: { "com.linkedin.schema.StringType": {} } };
  return { fieldPath: path, nullable: true, nativeDataType: nativeType, type, recursive: false };
}
