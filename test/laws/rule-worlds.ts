import fc from "fast-check";
import type { Asset, AssetColumn, ColumnRule, Condition, Rule } from "../../src/model/rule.ts";
import {
  type Entity,
  type FacetValue,
  type Scalar,
  scalarOf,
  setOf,
  type SetValue,
  type State,
} from "../../src/model/state.ts";
import type { Urn } from "../../src/model/urn.ts";
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

const names = ["fin.a", "fin.b", "fin.tmp", "crm.a", "crm.b"];
const paths = ["email", "id", "[version=2.0].[type=struct].[type=string].phone"];
const tagIds = ["x", "y", "z"];
const domainIds = ["finance", "sales"];
/** A container that is in another one. */
const [schema, database] = [urn("urn:li:container:schema"), urn("urn:li:container:db")];
const places: readonly (readonly Urn[])[] = [[], [database], [schema, database]];

const tags = fc.subarray(tagIds).map((ids) => ids.map((id) => urn(`urn:li:tag:${id}`)));
const domain: fc.Arbitrary<Scalar> = fc.constantFrom(
  null,
  ...domainIds.map((id) => urn(`urn:li:domain:${id}`)),
);

/** What is found, and each asset with its columns where it has some. */
const assets: fc.Arbitrary<readonly Asset[]> = fc
  .subarray(names, { minLength: 1 })
  .chain((some) =>
    fc.tuple(
      ...some.map((name) =>
        fc
          .record({ own: fc.subarray(paths), above: fc.constantFrom(...places), isView: fc.boolean() })
          .map(({ own, above, isView }) =>
            assetNamed(name, { paths: own, containers: above, subtypes: isView ? ["View"] : [] }),
          ),
      ),
    ),
  );

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.subarray(["fin.*", "*.a", "crm.b", "*"], { minLength: 1 }).map((all) => where("name", ...all)),
  fc
    .constantFrom("snowflake", "urn:li:dataPlatform:snowflake", "kafka")
    .map((each) => where("platform", each)),
  fc.constantFrom("db", "urn:li:container:schema").map((each) => where("container", each)),
  fc.constant(where("subtype", "View")),
);

/** A facet is declared or is not. */
function facetsFrom(
  at: string,
  set: readonly Urn[] | undefined,
  single: Scalar | undefined,
): Entity["facets"] {
  const facets = new Map<string, FacetValue>();
  if (set) facets.set("tags", setOf(set, originOf(`${at}-tags`)));
  if (single !== undefined) facets.set("domain", scalarOf(single, originOf(`${at}-domain`)));
  return facets;
}

const columnRule: fc.Arbitrary<ColumnRule> = fc
  .record({ pattern: fc.constantFrom("*", "*e*", "phone", "id"), tagged: tags, isTyped: fc.boolean() })
  .map(({ pattern, tagged, isTyped }) => ({
    pattern,
    ...(isTyped && { nativeTypes: ["VARCHAR*"] }),
    facets: new Map([["columns.tags", setOf(tagged, originOf("column"))]]),
    origin: originOf("column"),
  }));

const rules: fc.Arbitrary<readonly Rule[]> = fc
  .array(
    fc.record({
      conditions: fc.array(condition, { maxLength: 2 }),
      exclusions: fc.array(fc.array(condition, { minLength: 1, maxLength: 2 }), { maxLength: 1 }),
      set: fc.option(tags, { nil: undefined }),
      single: fc.option(domain, { nil: undefined }),
      columns: fc.array(columnRule, { maxLength: 2 }),
      priority: fc.nat(3),
    }),
    { maxLength: 5 },
  )
  .map((all) =>
    all.map(({ set, single, ...more }, index) => {
      const id = `r${index}`;
      return ruleOf(id, { ...more, facets: facetsFrom(id, set, single) });
    }),
  );

const entries = fc
  .subarray(["email", "id", "phone"])
  .chain((some) =>
    fc.tuple(...some.map((name) => tags.map((set): [string, SetValue] => [name, setOf(set)]))),
  );

/** What documents declare, or the catalog has: without the columns that an asset lacks. */
function entityFor({ urn: own, columns = [] }: Asset, isLive: boolean): fc.Arbitrary<Entity> {
  return fc
    .record({
      set: fc.option(tags, { nil: undefined }),
      single: fc.option(domain, { nil: undefined }),
      own: entries,
    })
    .map(({ set, single, own: written }) => {
      const named = new Map(written);
      const tagged = columns.flatMap(({ path, name }): readonly [string, SetValue][] => {
        const value = named.get(name) ?? (isLive ? setOf([]) : undefined);
        return value ? [[isLive ? path : name, { ...value, origin: originOf("document") }]] : [];
      });
      const facets = facetsFrom(
        "document",
        set ?? (isLive ? [] : undefined),
        single ?? (isLive ? null : undefined),
      );
      const map = { shape: "map", entries: new Map(tagged) } as const;
      const all = tagged.length > 0 || isLive ? [...facets, ["columns.tags", map] as const] : [...facets];
      return entityOf("Dataset", own, Object.fromEntries(all));
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
        exempt: fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom("r0", "r1")), { maxLength: 2 }),
      })
      .map(({ documents, live, exempt }) => ({
        assets: found,
        rules: all,
        references: [],
        state: new Map(documents.flatMap((entity) => (entity ? [[entity.urn, entity] as const] : []))),
        live: new Map(live.map((entity) => [entity.urn, entity])),
        exempt: new Map(exempt.map(([name, rule]) => [datasetNamed(name), new Set([rule])])),
      })),
  );

/** The assets of a world, as they are loaded into a catalog, with nothing assigned; and what rules assign. */
export function aspectsOf({ assets: found }: RuleWorld): readonly MadeAspect[] {
  return [
    ...tagIds.map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]),
    ...domainIds.map((id): MadeAspect => [`urn:li:domain:${id}`, "domainProperties", { name: id }]),
    ...found.flatMap(({ urn: own, columns = [], containers, subtypes }): readonly MadeAspect[] => {
      const [nearest] = containers;
      return [
        [own, "schemaMetadata", { ...schemaWith(), fields: columns.map(fieldOf) }],
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
