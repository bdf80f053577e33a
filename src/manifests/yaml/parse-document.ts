/**
 * Converts the YAML library's documents into plain data with positions. Resolves and checks anchors, aliases, merge keys and
 * tags.
 */

import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
} from "yaml";
import { appendTo } from "../../model/append.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Problem } from "../../model/problem.ts";
import { errorAt } from "../base/problem.ts";
import { plainValue, taggedValue } from "./yaml-core-schema.ts";
import type { Source } from "./source.ts";
import { nearestSpelling } from "../../model/text/suggestion.ts";
import type { ParsedDocument, PlacedValue, SourcePlace } from "./parsed-document.ts";

/** The maximum number of values that a document can repeat through aliases. A larger number would indicate an attack. */
const maxAliased = 100_000;

/** The maximum number of unknown aliases in a document for which a similar name is suggested. */
const maxSuggestions = 20;

/** A mapping that is being read. */
interface Mapping {
  readonly value: Record<string, Json>;
  readonly places: Map<string, SourcePlace>;
}

/** A key and its value. */
type Entry = YAMLMap.Parsed["items"][number];

interface Anchor {
  readonly value: Json;
  readonly size: number;
  readonly plain: boolean;
}

interface Reading {
  readonly source: Source;
  readonly problems: Problem[];
  readonly anchors: Map<string, Anchor | "open">;
  readonly mappingPlaces: Map<JsonObject, Map<string, SourcePlace>>;
  readonly listPlaces: Map<readonly Json[], readonly SourcePlace[]>;
  readonly merges: Map<JsonObject, readonly PlacedValue[]>;
  size: number;
  aliased: number;
  /** Whether some content could not be read. If so, other problems in the document may only be consequences of this. */
  isIncomplete: boolean;
}

/**
 * Converts a document, and adds its problems to `problems`. Returns `undefined` if the document has no content, or if part of its
 * content could not be read.
 */
export function parseDocument(
  composed: Document.Parsed,
  source: Source,
  problems: Problem[],
): ParsedDocument | undefined {
  const root = composed.contents;
  if (!root || isBlank(root)) return undefined;
  const reading: Reading = {
    source,
    problems: [],
    anchors: new Map(),
    mappingPlaces: new Map(),
    listPlaces: new Map(),
    merges: new Map(),
    size: 0,
    aliased: 0,
    isIncomplete: false,
  };
  const value = valueOf(reading, root);
  appendTo(problems, reading.problems);
  if (reading.isIncomplete) return undefined;
  const { mappingPlaces, listPlaces, merges } = reading;
  const rootPlace = placeOf(reading, root, startOf(root));
  return { source, root: value, rootPlace, mappingPlaces, listPlaces, merges };
}

function isBlank(node: ParsedNode): boolean {
  return isScalar(node) && node.source === "" && node.type === "PLAIN" && !node.tag && !node.anchor;
}

function valueOf(reading: Reading, node: ParsedNode | null): Json {
  reading.size++;
  if (node === null) return null;
  if (isAlias(node)) return aliasValue(reading, node.source, startOf(node));
  const { anchor } = node;
  if (anchor === undefined) return contentOf(reading, node);
  const before = reading.size;
  reading.anchors.set(anchor, "open");
  const value = contentOf(reading, node);
  reading.anchors.set(anchor, { value, size: reading.size - before + 1, plain: isPlain(node) });
  return value;
}

function contentOf(reading: Reading, node: ParsedNode): Json {
  if (isScalar(node)) return scalarValue(reading, node);
  if (isMap(node)) return mappingValue(reading, node);
  if (!isSeq(node)) return null;
  const { items } = node;
  const list = items.map((item) => valueOf(reading, item));
  reading.listPlaces.set(
    list,
    items.map((item) => placeOf(reading, item, item ? startOf(item) : startOf(node))),
  );
  return list;
}

function scalarValue(reading: Reading, node: Scalar.Parsed): Json {
  const text = node.source;
  if (!node.tag || node.tag === "!") return node.type === "PLAIN" && !node.tag ? plainValue(text) : text;
  const value = taggedValue(node.tag, text);
  if (value !== undefined) return value;
  const tag = node.tag.replace("tag:yaml.org,2002:", "!!");
  return refuse(reading, errorAt(originOf(reading, node), "bad-tagged-value", { tag, text }));
}

function mappingValue(reading: Reading, node: YAMLMap.Parsed): Json {
  const mapping: Mapping = { value: {}, places: new Map() };
  const merges: Entry[] = [];
  reading.mappingPlaces.set(mapping.value, mapping.places);
  for (const pair of node.items) {
    const key = keyOf(reading, pair.key ?? null, node);
    if (key === undefined) continue;
    if (key === "<<" && isPlain(pair.key)) merges.push(pair);
    else addPair(reading, mapping, key, pair);
  }
  for (const pair of merges) merge(reading, mapping, pair);
  return mapping.value;
}

function addPair(reading: Reading, { value, places }: Mapping, key: string, pair: Entry): void {
  const at = startOf(pair.key);
  const first = places.get(key);
  const content = valueOf(reading, pair.value);
  if (first) {
    const related = reading.source.originAt(first.key);
    reading.problems.push(errorAt(reading.source.originAt(at), "duplicate-key", { key }, related));
    return;
  }
  places.set(key, placeOf(reading, pair.value, at));
  setField(value, key, content);
}

/** Adds the values of a merge key (yaml.org/type/merge). Existing keys take precedence over merged keys. */
function merge(reading: Reading, { value, places }: Mapping, pair: Entry): void {
  const merged = valueOf(reading, pair.value);
  const own = reading.merges.get(value) ?? [];
  reading.merges.set(value, [
    ...own,
    { value: merged, place: placeOf(reading, pair.value, startOf(pair.key)) },
  ]);
  for (const source of isJsonList(merged) ? merged : [merged]) {
    const from = isJsonObject(source) ? reading.mappingPlaces.get(source) : undefined;
    if (!from || !isJsonObject(source)) {
      refuse(reading, errorAt(originOf(reading, pair.value ?? pair.key), "bad-merge", {}));
      return;
    }
    if (!repeat(reading, from.size, startOf(pair.key))) return;
    for (const [key, place] of from) {
      if (places.has(key)) continue;
      places.set(key, { ...place, isMerged: true });
      setField(value, key, source[key] ?? null);
    }
  }
}

function keyOf(reading: Reading, key: ParsedNode | null, mapping: ParsedNode): string | undefined {
  if (key && isScalar(key)) {
    const text = key.source;
    if (text !== "" || key.type !== "PLAIN") return text;
  }
  const origin = originOf(reading, key ?? mapping);
  if (key && !isScalar(key)) refuse(reading, errorAt(origin, "complex-key", {}));
  else reading.problems.push(errorAt(origin, "empty-key", {}));
  return undefined;
}

function aliasValue(reading: Reading, name: string, at: number): Json {
  const anchor = reading.anchors.get(name);
  const origin = () => reading.source.originAt(at);
  if (anchor === "open") return refuse(reading, errorAt(origin(), "alias-in-itself", { alias: name }));
  if (!anchor) {
    const few = reading.problems.length < maxSuggestions;
    const suggestion = few ? nearestSpelling(name, reading.anchors.keys()) : undefined;
    return refuse(reading, errorAt(origin(), "unknown-alias", { alias: name, suggestion }));
  }
  reading.size += anchor.size;
  return repeat(reading, anchor.size, at) ? anchor.value : null;
}

/** Counts the values that an alias repeats. Returns false above the limit, and reports a problem only the first time. */
function repeat(reading: Reading, size: number, at: number): boolean {
  const before = reading.aliased;
  reading.aliased += size;
  if (reading.aliased <= maxAliased) return true;
  if (before <= maxAliased) {
    refuse(reading, errorAt(reading.source.originAt(at), "too-many-aliases", { limit: maxAliased }));
  }
  return false;
}

/** Reports content that cannot be read, and marks the document as incomplete. */
function refuse(reading: Reading, problem: Problem): null {
  reading.problems.push(problem);
  reading.isIncomplete = true;
  return null;
}

function placeOf(reading: Reading, node: ParsedNode | null, key: number): SourcePlace {
  if (!node?.range) return { key, value: key, end: key, plain: false };
  const anchor = isAlias(node) ? reading.anchors.get(node.source) : undefined;
  const plain = isAlias(node) ? typeof anchor === "object" && anchor.plain : isPlain(node);
  return { key, value: node.range[0], end: node.range[1], plain };
}

function isPlain(node: ParsedNode | null): boolean {
  return isScalar(node) && node.type === "PLAIN" && !node.tag;
}

function originOf(reading: Reading, node: ParsedNode | null): Origin {
  return reading.source.originAt(startOf(node));
}

function startOf(node: ParsedNode | null | undefined): number {
  return node?.range?.[0] ?? 0;
}

// Sets a field safely, because assigning to the key `__proto__` would set the prototype.
function setField(value: Record<string, Json>, key: string, content: Json): void {
  if (key !== "__proto__") value[key] = content;
  else
    Object.defineProperty(value, key, {
      value: content,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}
