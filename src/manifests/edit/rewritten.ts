/** Converts changes in a tree into changes in its source text. */

import { isDeepStrictEqual } from "node:util";
import { appendTo } from "../../model/append.ts";
import { entrySplices } from "./entry-splices.ts";
import { orderOf } from "./format/field-order.ts";
import { collectionLines, entryText } from "./format/print.ts";
import { isFlowAt, type Splice, spliced } from "./source-text.ts";
import { type Collection, dataOf, type Entry, entryNamed } from "./tree.ts";
import { type CollectionChange, listSplices, scalarSplices, valueSplices } from "./value-splices.ts";

/** Returns the text with the tree's changes; `undefined` if the layout does not allow them. All other bytes stay the same. */
export function rewritten(text: string, root: Entry): string | undefined {
  const splices: Splice[] = [];
  return rewrite(text, root, false, splices) ? spliced(text, splices) : undefined;
}

/**
 * Collects the text changes for an entry. Returns false if the layout does not allow them. `isInFlow` is true if the entry is in
 * brackets or braces.
 */
function rewrite(
  text: string,
  { value, source, name }: Entry,
  isInFlow: boolean,
  splices: Splice[],
): boolean {
  if (!source) return true;
  const isEmptied = value.type === "mapping" && value.entries.length < Math.min(source.entries.length, 1);
  if (value.type !== source.value.type || isEmptied) {
    appendTo(splices, valueSplices(text, source.place, value, isInFlow));
    return true;
  }
  if (value.type === "text") {
    if (value !== source.value && !isDeepStrictEqual(dataOf(source.value), value.data))
      appendTo(splices, scalarSplices(text, source.place, { value, isInFlow, name }));
    return true;
  }
  const isFlow = isFlowAt(text, source.place.value);
  if (!value.entries.every((entry) => rewrite(text, entry, isFlow, splices))) return false;
  const kept = new Set(value.entries);
  const removed = source.entries.flatMap((entry, index) => (kept.has(entry) ? [] : [index]));
  const added = value.entries.filter((entry) => !entry.source);
  if (removed.length + added.length === 0) return true;
  const change = { text, source, isFlow, isInFlow, removed: new Set(removed), added };
  const own = value.type === "list" ? listSplices(change) : keySplices(change, value);
  if (own) appendTo(splices, own);
  return own !== undefined;
}

/** Returns the text changes that remove and add keys in a mapping. In a manifest, new keys follow the canonical field order. */
function keySplices(
  { added, ...change }: CollectionChange,
  mapping: Collection,
): readonly Splice[] | undefined {
  const kind = entryNamed(mapping, "kind");
  const order = kind ? orderOf(dataOf(kind.value)) : [];
  const rank = ({ key }: Entry): number => {
    const index = order.indexOf(key?.value ?? "");
    return index < 0 ? order.length : index;
  };
  const additions = added.map((entry) => ({
    after: change.source.entries.findLastIndex((each) => rank(each) <= rank(entry)),
    text: change.isFlow
      ? entryText(entry)
      : collectionLines({ ...mapping, entries: [entry], after: [] }, kind ? "manifest" : "field", 0).join(
          "\n",
        ),
  }));
  return entrySplices(change, additions);
}
