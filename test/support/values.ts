import fc from "fast-check";
import type { Facet } from "../../src/facets/facet.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/model/json.ts";
import {
  type FacetValue,
  type Member,
  memberKey,
  type Scalar,
  scalarOf,
  type ScalarValue,
  setOf,
  type SetValue,
} from "../../src/model/state.ts";

/** The keys that maps have: columns of a dataset. */
export const keys = ["id", "email", "amount"];

/** The values of a facet, by its shape. A live map has a value for each key, a desired one only for some. */
export function valuesOf(facet: Facet, side: "live" | "desired"): fc.Arbitrary<FacetValue> {
  if (facet.shape !== "map") return leavesOf(facet);
  const leaves = Object.fromEntries(keys.map((key) => [key, leavesOf(facet)]));
  return fc
    .record(leaves, side === "live" ? {} : { requiredKeys: [] })
    .map((record) => ({ shape: "map", entries: new Map(Object.entries(record) as [string, Leaf][]) }));
}

/** The elements of a facet that holds sets, or a set for each key: at least two. */
export function elementsOf(facet: Facet): readonly Member[] {
  return samplesOf(facet).filter((value) => typeof value === "string" || isJsonObject(value));
}

/** The values of a facet that holds one, or one for each key: `null` first, where it can be unset. */
export function scalarsOf(facet: Facet): readonly Scalar[] {
  return [...(facet.isRequired ? [] : [null]), ...samplesOf(facet)];
}

type Leaf = ScalarValue | SetValue;

function leavesOf(facet: Facet): fc.Arbitrary<Leaf> {
  if (facet.set) return fc.subarray([...elementsOf(facet)]).map((members) => setOf(members));
  const scalars = typeof facet.blank === "boolean" ? [true, false] : scalarsOf(facet);
  return fc.constantFrom(...scalars).map((value) => scalarOf(value));
}

/** What the facet takes of the examples in its schema, and of two ids (`1` and `2`) that entities of tests have. */
function samplesOf(facet: Facet): readonly (Member | Scalar)[] {
  const { schema = {} } = facet;
  const ids = [schema["type"]].flat().includes("integer") ? [1, 2] : schema["enum"] ? [] : ["1", "2"];
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
