import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  visit,
  type YAMLMap,
} from "yaml";
import { facetsOf } from "../../facets/index.ts";
import { assetKinds, kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { declareKey, ruleKind, ruleSchemaOf } from "../rules/rule-schema.ts";
import { schemaOf } from "../schema/schema.ts";

/** The keys of a manifest of a kind, in the order in which the canonical form has them. */
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
]);

const declareOrder = keysOfAll(
  ruleSchemas.map(({ properties }) => mappingOf(mappingOf(properties)[declareKey])),
);

/** The keys of some schemas, each once. */
function keysOfAll(schemas: readonly JsonObject[]): readonly string[] {
  return [...new Set(schemas.flatMap(keysOf))];
}

function keysOf({ properties }: JsonObject): readonly string[] {
  return Object.keys(mappingOf(properties));
}

function mappingOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/**
 * Puts the fields of each manifest of a document in order, and those that a rule declares; unknown ones come last. `value` is what the document declares:
 * a merge key may hold the kind. What stands before the first field belongs to the manifest, and stays first.
 */
export function orderFields(node: Node | null, value: Json): void {
  if (isSeq<Node>(node) && isJsonList(value)) {
    for (const [index, item] of node.items.entries()) orderFields(item, value[index] ?? null);
  } else if (isMap<Node, Node>(node) && isJsonObject(value)) {
    const name = value["kind"];
    orderMapping(node, (typeof name === "string" ? orders.get(name) : undefined) ?? ["kind"]);
    const declare = name === ruleKind ? node.get(declareKey, true) : undefined;
    if (isMap<Node, Node>(declare)) orderMapping(declare, declareOrder);
  }
}

function orderMapping(node: YAMLMap<Node, Node>, order: readonly string[]): void {
  const written = node.items;
  const rank = (pair: Pair<Node, Node>): number => rankIn(order, pair.key);
  node.items = written.toSorted((a, b) => rank(a) - rank(b));
  if (!aliasesFollow(node)) node.items = written;
  const [before, first] = [written[0], node.items[0]];
  if (!before || !first || first === before) return;
  const comments = [before.key.commentBefore, first.key.commentBefore].filter((text) => text);
  first.key.commentBefore = comments.length > 0 ? comments.join("\n") : null;
  before.key.commentBefore = null;
}

/** Whether every alias comes after its anchor, where the anchor is in the mapping too. */
function aliasesFollow(mapping: Node): boolean {
  const early = new Set<string>();
  let follow = true;
  visit(mapping, (_, node) => {
    if (isAlias(node)) early.add(node.source);
    else if ((isScalar(node) || isCollection(node)) && node.anchor !== undefined)
      follow &&= !early.has(node.anchor);
  });
  return follow;
}

function rankIn(order: readonly string[], key: Node): number {
  const name = isScalar(key) ? key.value : undefined;
  // What is merged comes before what is said beside it.
  if (name === "<<") return 0.5;
  const index = order.indexOf(String(name));
  return index === -1 ? order.length : index;
}
