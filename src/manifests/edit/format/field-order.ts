/** Sorts the fields in manifests into canonical order. */

import { facetsOf } from "../../../facets/index.ts";
import { assetKinds, kinds } from "../../../kinds/index.ts";
import type { Kind } from "../../../kinds/kind.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import { policyKind, waiverKind } from "../../schema/policy-kinds.ts";
import { policySchemaOf } from "../../schema/policy-schema.ts";
import { waiverSchema } from "../../schema/waiver-schema.ts";
import { declareKey, ruleKind, ruleSchemaOf } from "../../schema/rule-schema.ts";
import { schemaOf } from "../../schema/schema.ts";
import { mappingOf } from "../../schema/schema-part.ts";
import type { Collection, Entry, Tree } from "../tree.ts";

/** Returns the keys for a kind's manifest, in canonical order. */
export function fieldOrder(kind: Kind): readonly string[] {
  const shapes = new Map(facetsOf(kind.name).map(({ name, shape }) => [name, shape]));
  const properties = keysOf(schemaOf(kind));
  const weight = (key: string): number => {
    if (key === "kind") return 0;
    if (kind.fields[key] !== undefined) return 1;
    if (key === kind.displayName) return 2;
    return { scalar: 3, set: 4, map: 5 }[shapes.get(key) ?? "map"];
  };
  return properties.toSorted((a, b) => weight(a) - weight(b));
}

const ruleSchemas: readonly JsonObject[] = assetKinds.map(ruleSchemaOf);

const orders: ReadonlyMap<string, readonly string[]> = new Map([
  ...kinds.map((kind) => [kind.name, fieldOrder(kind)] as const),
  [ruleKind, keysOfAll(ruleSchemas)],
  [policyKind, keysOfAll(kinds.map(policySchemaOf))],
  [waiverKind, keysOf(waiverSchema)],
]);

/** Returns a manifest's keys in canonical order, given its kind's name. */
export function orderOf(kind: Json | undefined): readonly string[] {
  return (typeof kind === "string" ? orders.get(kind) : undefined) ?? ["kind"];
}

const declareOrder = keysOfAll(
  ruleSchemas.map(({ properties }) => mappingOf(mappingOf(properties)[declareKey])),
);

/** Returns the distinct keys from all schemas. */
function keysOfAll(schemas: readonly JsonObject[]): readonly string[] {
  return [...new Set(schemas.flatMap(keysOf))];
}

function keysOf({ properties }: JsonObject): readonly string[] {
  return Object.keys(mappingOf(properties));
}

/** Sorts the fields in a document's manifests, with unknown fields last. Comments above the first field stay at the top. */
export function orderedFields(tree: Tree, value: Json): Tree {
  if (tree.type === "list" && isJsonList(value)) {
    const entries = tree.entries.map((each, index) => ({
      ...each,
      value: orderedFields(each.value, value[index] ?? null),
    }));
    return { ...tree, entries };
  }
  if (tree.type !== "mapping" || !isJsonObject(value)) return tree;
  const name = value["kind"];
  const mapping = ordered(tree, orderOf(name));
  const entries = mapping.entries.map((each) =>
    name === ruleKind && each.key?.value === declareKey && each.value.type === "mapping"
      ? { ...each, value: ordered(each.value, declareOrder) }
      : each,
  );
  return { ...mapping, entries };
}

function ordered(mapping: Collection, order: readonly string[]): Collection {
  const { entries } = mapping;
  const sorted = entries.toSorted((a, b) => rankIn(order, a) - rankIn(order, b));
  const [before, first] = [entries[0], sorted[0]];
  if (!before || !first || !doAliasesFollow({ ...mapping, entries: sorted })) return mapping;
  const above = first === before ? first.above : [...before.above, ...first.above];
  const moved = sorted.map((entry) => (entry === before ? { ...entry, above: [] } : entry));
  return { ...mapping, entries: [{ ...first, above }, ...moved.slice(1)] };
}

/** Whether every alias comes after its anchor, if the anchor is in the mapping. */
function doAliasesFollow(mapping: Collection): boolean {
  const texts = textsIn(mapping);
  return texts.every(
    (text, index) => !text.startsWith("&") || !texts.slice(0, index).includes(`*${text.slice(1)}`),
  );
}

/** Returns a value's anchors and aliases in order, each with its `&` or `*`. */
function textsIn(tree: Tree): readonly string[] {
  const anchor: readonly string[] = /&\S+/.exec(tree.properties) ?? [];
  if (tree.type === "text") return tree.style === "alias" ? [tree.value] : anchor;
  const below = tree.entries.flatMap(({ key, value }) => [...(key ? textsIn(key) : []), ...textsIn(value)]);
  return [...anchor, ...below];
}

function rankIn(order: readonly string[], { key }: Entry): number {
  // Merge keys come before the keys that override them.
  if (key?.value === "<<") return 0.5;
  const index = order.indexOf(key?.value ?? "");
  return index === -1 ? order.length : index;
}
