import { isDeepStrictEqual } from "node:util";
import { appendTo } from "../../model/append.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { type ParsedDocument, placesIn, type SourcePlace } from "../yaml/parsed-document.ts";
import { collectionAt, entrySplices, isFlowAt } from "./collection.ts";
import { type Content, contentOf, fieldOf, isContainer, type Origin, valueAt } from "./content.ts";
import type { EditFault } from "./edit.ts";
import { orderOf } from "./format/field-order.ts";
import { entriesText, flowText } from "./format/manifest-text.ts";
import { type Splice, spliced } from "./splice.ts";
import { listSplices, scalarSplice } from "./value-splices.ts";

interface Rewriting extends Pick<Content, "origins"> {
  readonly document: ParsedDocument;
  readonly splices: Splice[];
  readonly faults: EditFault[];
}

/**
 * The text of a document with other content: only the bytes of what differs are others. Or why the text does not let it be
 * changed alone.
 */
export function rewritten(
  document: ParsedDocument,
  { root, origins }: Content,
): { readonly text: string } | { readonly fault: EditFault } {
  const rewriting: Rewriting = { document, origins, splices: [], faults: [] };
  rewrite(rewriting, root, false);
  const [fault] = rewriting.faults;
  return fault ? { fault } : { text: spliced(document.source.text, rewriting.splices) };
}

/** Rewrites a list or a mapping. `isInFlow`: it is in brackets or braces itself. */
function rewrite(rewriting: Rewriting, value: Json, isInFlow: boolean): void {
  const { document, origins, faults, splices } = rewriting;
  const origin = origins.get(value);
  if (!origin) {
    faults.push("layout");
    return;
  }
  const fault = repeatedFault(document, origin.place);
  if (fault) {
    if (!isDeepStrictEqual(value, contentOf(document, origin).root)) faults.push(fault);
    return;
  }
  const changes = isJsonList(value)
    ? rewriteList(rewriting, value, origin, isInFlow)
    : rewriteMapping(rewriting, value as JsonObject, origin);
  if (changes) appendTo(splices, changes);
  else faults.push("layout");
}

/** Why a value cannot be changed: another place has its text. */
function repeatedFault({ source }: ParsedDocument, { isMerged, value }: SourcePlace): EditFault | undefined {
  if (isMerged) return "merge-key";
  return source.text[value] === "*" ? "alias" : undefined;
}

function rewriteList(
  rewriting: Rewriting,
  list: readonly Json[],
  origin: Origin,
  isInFlow: boolean,
): readonly Splice[] | undefined {
  const { document, origins } = rewriting;
  if (!isJsonList(origin.value)) return undefined;
  const places = document.listPlaces.get(origin.value) ?? [];
  const gone = new Map<unknown, number>(
    origin.value.map((each, index) => [isContainer(each) ? places[index] : each, index]),
  );
  const isFlow = isFlowAt(document.source.text, origin.place.value);
  const added = list.filter((each) => {
    const own = origins.get(each);
    if (own) rewrite(rewriting, each, isFlow);
    return !gone.delete(own?.place ?? each);
  });
  const written = { document, place: origin.place, isInFlow };
  return listSplices(written, origin.value, { removed: new Set(gone.values()), added });
}

function rewriteMapping(
  rewriting: Rewriting,
  mapping: JsonObject,
  origin: Origin,
): readonly Splice[] | undefined {
  const { document, faults, splices } = rewriting;
  const before = origin.value;
  if (!isJsonObject(before)) return undefined;
  const isInFlow = isFlowAt(document.source.text, origin.place.value);
  for (const [key, place] of placesIn(document, before)) {
    const value = valueAt(mapping, [key]);
    if (isContainer(value)) rewrite(rewriting, value, isInFlow);
    else if (value !== fieldOf(before, key, place)) {
      const fault = repeatedFault(document, place);
      if (fault) faults.push(fault);
      else if (value === undefined) continue;
      else if (isContainer(before[key])) faults.push("layout");
      else splices.push(scalarSplice({ document, place, isInFlow }, value));
    }
  }
  return keySplices(rewriting, mapping, before, origin.place);
}

/** Removes the keys that a mapping has no more, and adds those that it has now. */
function keySplices(
  { document }: Rewriting,
  mapping: JsonObject,
  before: JsonObject,
  place: SourcePlace,
): readonly Splice[] | undefined {
  const keys = [...placesIn(document, before).keys()];
  const removed = keys.flatMap((key, index) => (Object.hasOwn(mapping, key) ? [] : [index]));
  const added = Object.keys(mapping).filter((key) => !Object.hasOwn(before, key));
  if (removed.length + added.length === 0) return [];
  const collection = collectionAt(document, before, place);
  const { kind } = before;
  const order = typeof kind === "string" ? orderOf(kind) : [];
  const additions = added.map((key) => {
    const entry = { [key]: mapping[key] };
    const text = collection?.isFlow
      ? flowText(entry, { isDense: true }).slice(1, -1)
      : entriesText(entry, typeof kind === "string" ? "manifest" : "field");
    return { after: indexBefore(key, keys, order), text };
  });
  return collection && entrySplices(collection, new Set(removed), additions);
}

/** The index of the last key that comes before a new one in an order. */
function indexBefore(added: string, keys: readonly string[], order: readonly string[]): number {
  const rank = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
  return keys.findLastIndex((key) => rank(key) <= rank(added));
}
