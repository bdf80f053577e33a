import fc from "fast-check";
import type { Facet } from "../../src/facets/facet.ts";
import type { Keys } from "../../src/facets/map-contract.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/model/json.ts";
import { type Path, valueFrom } from "../../src/model/place.ts";
import {
  type FacetValue,
  isMember,
  type Leaf,
  type Member,
  memberKey,
  type Scalar,
  scalarOf,
  setOf,
} from "../../src/model/state.ts";

/** The columns of a dataset. */
const keys = ["id", "email", "amount"];

/** The keys that a map has at one of its levels: columns, or entities. */
function keysAt({ entityType }: Keys): readonly string[] {
  return entityType === undefined ? keys : ["x", "y"].map((id) => `urn:li:${entityType}:${id}`);
}

/** The ways of keys to each value of a map; of another facet the way without keys. */
export function pathsOf(facet: Facet): readonly Path[] {
  const levels = facet.shape === "map" ? facet.keys.map(keysAt) : [];
  return levels.reduce<readonly Path[]>(
    (paths, level) => paths.flatMap((path) => level.map((key) => [...path, key])),
    [[]],
  );
}

/** The shape at some keys: where a facet has both, the last key decides. */
export function shapeAt({ scalar, set }: Facet, path: Path): "scalar" | "set" {
  if (scalar && set) return path.at(-1)?.endsWith("x") === true ? "scalar" : "set";
  return set ? "set" : "scalar";
}

/** The values of a facet, by its shape. A live map has a value for each key, a desired one only for some. */
export function valuesOf(facet: Facet, side: "live" | "desired"): fc.Arbitrary<FacetValue> {
  if (facet.shape !== "map") return leavesOf(facet, []);
  const paths = pathsOf(facet);
  const leaves = Object.fromEntries(paths.map((path, index) => [index, leavesOf(facet, path)]));
  return fc.record(leaves, side === "live" ? {} : { requiredKeys: [] }).map((record): FacetValue => {
    const drawn = Object.entries(record).flatMap(([index, leaf]) =>
      leaf ? [[paths[Number(index)] ?? [], leaf] as const] : [],
    );
    return drawn.length > 0 ? valueFrom(drawn) : { shape: "map", entries: new Map() };
  });
}

/** The elements of a facet that holds sets, or a set for each key: at least two. */
export function elementsOf(facet: Facet): readonly Member[] {
  return samplesOf(facet).filter((value) => isMember(value));
}

/** The values of a facet that holds one, or one for each key: `null` first, where it can be unset. */
export function scalarsOf(facet: Facet): readonly Scalar[] {
  return [...(facet.isRequired ? [] : [null]), ...samplesOf(facet)];
}

function leavesOf(facet: Facet, path: Path): fc.Arbitrary<Leaf> {
  if (shapeAt(facet, path) === "set")
    return fc.subarray([...elementsOf(facet)]).map((members) => setOf(members));
  const scalars = typeof facet.blank === "boolean" ? [true, false] : scalarsOf(facet);
  return fc.constantFrom(...scalars).map((value) => scalarOf(value));
}

/** What the facet takes of the examples in its schema, and of two ids (`1` and `2`) that entities of tests have. */
function samplesOf(facet: Facet): readonly (Member | Scalar)[] {
  const { schema = {} } = facet;
  const ids = [schema["type"]].flat().includes("integer") ? [1, 2] : takesIds(schema) ? ["1", "2"] : [];
  const taken = [...examplesIn(schema), ...ids].flatMap((written) => {
    const parsed = facet.parse(written);
    return "refusal" in parsed ? [] : [parsed.value];
  });
  return [...new Map(taken.map((value) => [memberKey(value as Member), value])).values()];
}

/** The examples of a schema without `none`; of a list its elements, and of a mapping also its first field alone, where that is enough. */
function examplesIn({ examples, items }: JsonObject): readonly Json[] {
  const lists: readonly Json[] = Array.isArray(examples) ? examples : [];
  const written: readonly Json[] = lists
    .flatMap((example) => example)
    .filter((example) => example !== "none");
  return written.flatMap((example): readonly Json[] => {
    if (!isJsonObject(example)) return [example];
    const first = Object.fromEntries(Object.entries(example).slice(0, 1));
    return requiredIn(items).every((field) => Object.hasOwn(first, field)) ? [example, first] : [example];
  });
}

/** The fields that a mapping in a list must have, where it is one of several forms. */
function requiredIn(items: Json | undefined): readonly string[] {
  const mapping = isJsonObject(items) ? items["then"] : undefined;
  const required = isJsonObject(mapping) ? mapping["required"] : undefined;
  return Array.isArray(required) ? required.map(String) : [];
}

/** Whether any text can be a value or an element. */
function takesIds({ enum: ofValues, pattern, items = {} }: JsonObject): boolean {
  if (ofValues !== undefined || pattern !== undefined) return false;
  return !isJsonObject(items) || (items["enum"] === undefined && items["type"] !== "object");
}
