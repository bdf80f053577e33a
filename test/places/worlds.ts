import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { facetsOf } from "../../src/facets/index.ts";
import type { Json } from "../../src/model/json.ts";
import { pathKey, type Place, placeAt } from "../../src/model/place.ts";
import type { Mode } from "../../src/model/settings.ts";
import type { KindName } from "../../src/model/state.ts";
import type { MadeAspect } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { datasetNamed } from "../support/states.ts";
import { isTexts, shapesOf, storedForm, testFacets, type Value } from "./facets.ts";

/** One place of an entity: what is declared, what was declared before, and what is there. */
export interface Drawn {
  readonly urn: string;
  readonly place: Place;
  readonly want?: Value;
  readonly before?: Value;
  readonly have: Value;
  readonly mode: Mode;
}

interface Identity {
  readonly kind: KindName;
  readonly urn: string;
  /** How a manifest names it. */
  readonly fields: Readonly<Record<string, string>>;
}

const identities: readonly Identity[] = [
  ...["a", "b"].map((name) => ({
    kind: "Dataset",
    urn: datasetNamed(name),
    fields: { kind: "Dataset", platform: "snowflake", name },
  })),
  { kind: "Domain", urn: "urn:li:domain:d", fields: { kind: "Domain", id: "d", name: "D" } },
];

const email = "[version=2.0].[type=struct].[type=string].email";
const columns = ["id", email];

/** The plain names by which manifests name columns. */
const plainNames: Readonly<Record<string, string>> = { [email]: "email" };

const keys = ["a", "b/c d"];
const texts = ["x", "y", "z: #"];
const fieldValues = [{}, { a: "x" }, { a: "y" }, { a: "x", b: "z: #" }, { b: "z: #", a: "x" }];

interface PlaceOf extends Identity {
  readonly place: Place;
  readonly shape: "scalar" | "set";
}

/** Every place of the facets of the tests. */
const places: readonly PlaceOf[] = identities.flatMap((identity) =>
  testFacets
    .filter((facet) => facetsOf(identity.kind).includes(facet))
    .flatMap(({ name }) =>
      pathsOf(name).map((path) => {
        return { ...identity, place: placeAt(name, path), shape: shapesOf(name, path) };
      }),
    ),
);

function pathsOf(name: string): readonly (readonly string[])[] {
  const firsts = name.startsWith("columns.") ? columns : [];
  const lasts = name.includes("by_key") ? keys : [];
  if (firsts.length === 0) return lasts.length === 0 ? [[]] : lasts.map((key) => [key]);
  return firsts.flatMap((column) => (lasts.length === 0 ? [[column]] : lasts.map((key) => [column, key])));
}

const modes: readonly Mode[] = ["additive", "merge", "authoritative"];

/** Worlds in which each element of each place is wanted, was wanted and is there in every combination. */
export const worlds: fc.Arbitrary<readonly Drawn[]> = fc
  .tuple(
    fc.tuple(...places.map(drawnAt)),
    fc.dictionary(fc.constantFrom(...testFacets.map(({ name }) => name)), fc.constantFrom(...modes), {
      noNullPrototype: true,
    }),
  )
  .map(([all, given]) => all.map((each) => ({ ...each, mode: given[each.place.facet] ?? "authoritative" })));

function drawnAt({ urn, place, shape }: PlaceOf): fc.Arbitrary<Omit<Drawn, "mode">> {
  const value: fc.Arbitrary<Value> =
    shape === "set"
      ? fc.subarray(texts)
      : fc.constantFrom<Value>(null, ...(place.facet.includes("fields") ? fieldValues : texts));
  return fc
    .record({ want: value, before: value, have: value }, { requiredKeys: ["have"] })
    .map((values) => ({ urn, place, ...values }));
}

/** What is there after an apply where manifests declare what is wanted, by the rules of modes, written a second time. */
export function expected(
  { want, before, have, mode }: Drawn,
  { isPruned = false } = {},
): { readonly value: Value; readonly conflict?: true } {
  if (want === undefined) return { value: isPruned && before !== undefined ? without(have, before) : have };
  if (isTexts(want) && isTexts(have)) {
    const was = isTexts(before) ? before : [];
    const stays = (each: string): boolean => mode === "additive" || (mode === "merge" && !was.includes(each));
    return { value: texts.filter((each) => want.includes(each) || (have.includes(each) && stays(each))) };
  }
  if (have === null || isSame(have, want) || mode === "authoritative") return { value: want };
  if (mode === "additive") return { value: have };
  return isSame(have, before) ? { value: want } : { value: have, conflict: true };
}

function without(have: Value, before: Value): Value {
  if (isTexts(have)) return have.filter((each) => !isTexts(before) || !before.includes(each));
  return isSame(have, before) ? null : have;
}

/** Whether two values are the same, in whichever order their fields are. */
export function isSame(one: Value | undefined, other: Value | undefined): boolean {
  return isDeepStrictEqual(one, other);
}

/** Files of manifests that declare one side: one for each facet, so that most entities are declared in many. */
export function manifestsOf(
  world: readonly Drawn[],
  side: "want" | "before",
): Readonly<Record<string, string>> {
  const files = testFacets.map(({ name }) => {
    const documents = identities.map(({ urn, fields }) => {
      const own = world.filter((each) => each.urn === urn && each.place.facet === name);
      return { ...fields, ...fieldsOf(own, side) };
    });
    return [`${name}.yaml`, documents.map(textOf).join("---\n")] as const;
  });
  return Object.fromEntries(files);
}

/** What a manifest says of some places. */
function fieldsOf(own: readonly Drawn[], side: "want" | "before"): { [key: string]: Json } {
  const fields: { [key: string]: Json } = {};
  for (const { place, [side]: value } of own) if (value !== undefined) putAt(fields, wayTo(place), value);
  return fields;
}

/** A document; what is unset is \`none\` without quotes. */
function textOf(document: object): string {
  return `${JSON.stringify(document).replaceAll(JSON.stringify(unset), "none")}\n`;
}

const unset = "(none)";

function wayTo({ facet, path = [] }: Place): readonly string[] {
  const [first = "", ...rest] = facet.split(".");
  const [key, ...below] = path.map((each) => plainNames[each] ?? each);
  return [first, ...(key === undefined ? [] : [key]), ...rest, ...below];
}

function putAt(fields: { [key: string]: Json }, [key = "", ...rest]: readonly string[], value: Value): void {
  if (rest.length === 0) fields[key] = value ?? unset;
  else putAt((fields[key] ??= {}) as { [key: string]: Json }, rest, value);
}

/** What is wanted of the first dataset. */
function firstOf(world: readonly Drawn[]): readonly Drawn[] {
  return world.filter(({ urn }) => urn === identities[0]?.urn);
}

/** A document of each dataset: all declare what is wanted of the first one. */
export function documentsOf(world: readonly Drawn[]): Readonly<Record<string, string>> {
  const own = fieldsOf(firstOf(world), "want");
  const datasets = identities.filter(({ kind }) => kind === "Dataset");
  return Object.fromEntries(
    datasets.map(({ fields }) => [`${fields["name"]}.yaml`, textOf({ ...fields, ...own })]),
  );
}

/** A rule that declares the same. */
export function ruleOf(world: readonly Drawn[]): Readonly<Record<string, string>> {
  const declare = fieldsOf(firstOf(world), "want");
  return { "rule.yaml": textOf({ kind: "Rule", id: "r", match: { kind: "Dataset" }, declare }) };
}

/** What the catalog has, as metadata. */
export function aspectsOf(world: readonly Drawn[]): readonly MadeAspect[] {
  return identities.flatMap(({ kind, urn }): readonly MadeAspect[] => [
    kind === "Dataset"
      ? [urn, "schemaMetadata", schemaWith(...columns)]
      : [urn, "domainProperties", { name: "D" }],
    [
      urn,
      "institutionalMemory",
      {
        elements: world
          .filter((each) => each.urn === urn)
          .flatMap(({ place: { facet, path = [] }, have }) => storedForm(facet, path, have)),
      },
    ],
  ]);
}

/** The text by which places of entities are the same. */
export function keyOf({ urn, place: { facet, path } }: Pick<Drawn, "urn" | "place">): string {
  return `${urn} ${facet} ${pathKey(path)}`;
}
