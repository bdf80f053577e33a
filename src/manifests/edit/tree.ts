/** Represents YAML documents as trees with comments, anchors and tags, and converts trees to data and back. */

import { isJsonList, isJsonObject, type Json } from "../../model/json.ts";
import { pointerTo } from "../schema/schema-path.ts";
import type { SourcePlace } from "../yaml/parsed-document.ts";
import { commentText, type TextForm, unsetWord } from "./value-text.ts";

/** A scalar or an alias. */
export interface Text extends TextForm {
  readonly type: "text";
  /** The declared value. */
  readonly data: Json;
}

/** A list or a mapping. */
export interface Collection {
  readonly type: "list" | "mapping";
  entries: readonly Entry[];
  /** The comments and empty lines after the last entry. */
  readonly after: readonly string[];
  readonly properties: string;
}

/**
 * A value, with everything that canonical formatting preserves. `properties` contains its anchor and tag, each followed by a
 * space.
 */
export type Tree = Text | Collection;

/** A list element, or a mapping key and its value. */
export interface Entry {
  /** The comments and empty lines above the entry. */
  readonly above: readonly string[];
  readonly key?: Text;
  value: Tree;
  /** The comments on the same line as the entry or its key. */
  readonly beside: readonly string[];
  /** The display names in the comment next to a replaced value. */
  name?: ShownNames;
  /** The entry's position and value in the source; absent for a new entry. */
  readonly source?: EntrySource;
}

/** The display names of the old and new values. A name is `undefined` if a comment would not show it. */
export interface ShownNames {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The range of an entry (from its dash or anchor to the end of its value), its value, and its nested entries. */
export interface EntrySource {
  readonly start: number;
  readonly end: number;
  readonly place: SourcePlace;
  readonly value: Tree;
  readonly entries: readonly Entry[];
}

/** The tree for a missing value. */
export const emptyText: Text = { type: "text", value: "", style: "plain", properties: "", data: null };

/** Returns the data that a tree declares; `null` means unset. */
export function dataOf(tree: Tree): Json {
  if (tree.type === "text") return tree.data;
  if (tree.type === "list") return tree.entries.map(({ value }) => dataOf(value));
  const own = tree.entries.filter((entry) => !isMerge(entry));
  const merged = tree.entries.filter(isMerge).map(({ value }) => dataOf(value));
  const mappings = merged.flatMap((value) => (isJsonList(value) ? value : [value])).filter(isJsonObject);
  const fields = own.map(({ key, value }) => [key?.value ?? "", dataOf(value)] as const);
  return Object.fromEntries([...mappings.toReversed().flatMap((each) => Object.entries(each)), ...fields]);
}

/** Whether an entry merges another mapping (`<<`). */
export function isMerge({ key }: Entry): boolean {
  return key?.value === "<<" && key.style === "plain";
}

/**
 * Creates a tree from data. `comments` is keyed by JSON pointer. Strings are quoted if necessary, so that they remain strings.
 */
export function treeFrom(data: Json, comments: ReadonlyMap<string, string> = new Map(), pointer = ""): Tree {
  const below = (step: string, key: string | undefined, value: Json): Entry =>
    entryFrom(key, value, comments, pointer + step);
  if (isJsonList(data)) {
    const entries = data.map((value, index) => below(`/${index}`, undefined, value));
    return { type: "list", entries, after: [], properties: "" };
  }
  if (isJsonObject(data)) {
    const entries = Object.entries(data).flatMap(([key, value]) =>
      value === undefined ? [] : [below(pointerTo(key), key, value)],
    );
    return { type: "mapping", entries, after: [], properties: "" };
  }
  if (typeof data === "string") return { ...emptyText, value: data, style: "quoted", data };
  return { ...emptyText, value: data === null ? unsetWord : String(data), data };
}

/** Creates an entry: a list element, or a mapping entry if a key is given. */
export function entryFrom(
  key: string | undefined,
  value: Json,
  comments: ReadonlyMap<string, string> = new Map(),
  pointer = "",
): Entry {
  const comment = commentText(comments.get(pointer) ?? "");
  return {
    above: [],
    ...(key !== undefined && { key: { ...emptyText, value: key, style: "quoted", data: key } }),
    value: treeFrom(value, comments, pointer),
    beside: comment === "" ? [] : [`# ${comment}`],
  };
}

/** Finds the entry with this key in a mapping. */
export function entryNamed({ entries }: Collection, name: string): Entry | undefined {
  return entries.find(({ key }) => key?.value === name);
}

/** Whether a value is an alias for another value. */
export function isAlias(tree: Tree): boolean {
  return tree.type === "text" && tree.style === "alias";
}
