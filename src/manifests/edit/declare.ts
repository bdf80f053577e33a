/** Edits a manifest's tree so that it declares new values, or returns the reason why the edit is not possible. */

import { isDeepStrictEqual } from "node:util";
import type { Facet } from "../../facets/facet.ts";
import { facetNamed } from "../../facets/index.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import { type Member, memberKey } from "../../model/state.ts";
import type { Edit, EditFault, NewValue } from "./edit.ts";
import { type DisplayNames, displayNameComment } from "./display-name-comment.ts";
import {
  type Collection,
  dataOf,
  type Entry,
  entryFrom,
  entryNamed,
  isAlias,
  isMerge,
  treeFrom,
  type Tree,
} from "./tree.ts";

/**
 * A mapping to edit. `value` is the new value at the key path `keys`, and `fields` contains the currently declared fields,
 * including merged fields.
 */
export interface Target {
  readonly edit: Edit;
  readonly value: NewValue;
  readonly mapping: Tree;
  readonly fields: Json;
  readonly keys: readonly string[];
}

/** Changes a mapping so that it declares a new value, or returns the reason why that is not possible. */
export function declare(
  { edit, value, mapping, fields, keys }: Target,
  names: DisplayNames,
): EditFault | undefined {
  if (value.type === "undeclared") return removeAt(mapping, keys);
  const facet = facetNamed(edit.facet);
  const entry = entryAt(mapping, fields, keys, value.type === "elements" ? [] : null);
  if (typeof entry === "string") return entry;
  if (value.type === "elements") return changeElements(entry.value, facet, value);
  const written = value.value === null ? null : facet.written(value.value);
  if (isJsonObject(written) || entry.value.type !== "text") return changeFields(entry, treeFrom(written));
  const before = dataOf(entry.value);
  const parsed = before === null ? undefined : facet.parse(before);
  entry.name = {
    before: parsed && "value" in parsed ? displayNameComment(parsed.value, names) : undefined,
    after: displayNameComment(value.value, names),
  };
  entry.value = treeFrom(written);
  return undefined;
}

/** Returns the entry at a key path. Creates missing keys, and gives the last key an initial value. */
function entryAt(
  tree: Tree,
  fields: Json | undefined,
  [key = "", ...below]: readonly string[],
  initial: Json,
): Entry | EditFault {
  if (tree.type === "text") return isAlias(tree) ? "alias" : "layout";
  const before = isJsonObject(fields) && Object.hasOwn(fields, key) ? fields[key] : undefined;
  const found = entryNamed(tree, key);
  // A declared key without an entry is merged from a different mapping. If there are no merge keys, an earlier edit has removed
  // the entry to replace a single value with a list.
  if (!found && before !== undefined && tree.entries.some(isMerge)) return "merge-key";
  const entry = found ?? entryFrom(key, below.length === 0 ? initial : {});
  if (!found) tree.entries = [...tree.entries, entry];
  if (below.length > 0) return entryAt(entry.value, before, below, initial);
  return isAlias(entry.value) ? "alias" : entry;
}

/** Removes the last key in a key path, and each parent key that becomes empty. */
function removeAt(tree: Tree, [key = "", ...below]: readonly string[]): EditFault | undefined {
  if (tree.type === "text") return isAlias(tree) ? "alias" : "layout";
  const entry = entryNamed(tree, key);
  if (!entry) return "merge-key";
  if (below.length > 0) {
    const fault = removeAt(entry.value, below);
    if (fault || (entry.value.type !== "text" && entry.value.entries.length > 0)) return fault;
  }
  tree.entries = tree.entries.filter((each) => each !== entry);
  return undefined;
}

/** Changes a value field by field if it has fields; otherwise replaces it. */
function changeFields(entry: Entry, next: Tree): EditFault | undefined {
  const { value } = entry;
  if (value.type === "list") return "layout";
  if (value.type === "mapping" && next.type === "mapping" && next.entries.length > 0)
    return changeEntries(value, next);
  entry.value = next;
  return undefined;
}

function changeEntries(mapping: Collection, wanted: Collection): EditFault | undefined {
  if (mapping.entries.some(isMerge)) return "merge-key";
  const kept = mapping.entries.filter(({ key }) => key && entryNamed(wanted, key.value));
  for (const entry of kept) {
    const next = entryNamed(wanted, entry.key?.value ?? "")?.value;
    if (!next || isDeepStrictEqual(dataOf(entry.value), dataOf(next))) continue;
    if (entry.value.type !== "text") return "layout";
    if (isAlias(entry.value)) return "alias";
    entry.value = next;
  }
  const added = wanted.entries.filter(({ key }) => key && !entryNamed(mapping, key.value));
  mapping.entries = [...kept, ...added];
  return undefined;
}

/** Adds and removes list elements. Never adds an element that already exists, even if the list spells the element differently. */
function changeElements(
  list: Tree,
  facet: Facet,
  { add, remove }: Extract<NewValue, { readonly type: "elements" }>,
): EditFault | undefined {
  if (list.type !== "list") return "layout";
  const keyOf = ({ value }: Entry): string | undefined => {
    const parsed = facet.parse(dataOf(value));
    return "value" in parsed && parsed.value !== null ? memberKey(parsed.value as Member) : undefined;
  };
  const keys = list.entries.map(keyOf);
  const [existing, removed] = [new Set(keys), new Set<unknown>(remove.map(memberKey))];
  const kept = list.entries.filter((_, index) => !removed.has(keys[index]));
  const added = add.filter((member) => !existing.has(memberKey(member)));
  list.entries = [...kept, ...added.map((member) => entryFrom(undefined, facet.written(member)))];
  return undefined;
}
