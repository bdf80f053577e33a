/** Computes the value of an aspect after a proposal's edits, and attributes new values to this tool. */

import { CatalogError } from "../../model/catalog-error.ts";
import { canonicalJson, isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { groupBy } from "../../model/group-by.ts";
import { type Edit, isListEdit, type ListEdit, type Proposal } from "../../model/operation.ts";

/** The writer of values, and the fields that show where the server stores attributions. */
export interface Provenance {
  /** The user that the token belongs to. */
  readonly actor: string;
  /** The `source` of a value in DataHub's MetadataAttribution. */
  readonly source: string;
  readonly detail: Readonly<Record<string, string>>;
  /** The GraphQL fields, as `Type.field`, that show where the server stores attributions. */
  readonly keeps: ReadonlySet<string>;
}

/** The provenance of a write, and its time in milliseconds. */
export interface Stamp extends Provenance {
  readonly time: number;
}

/**
 * Returns the aspect after the edits, or `undefined` if it does not exist and is not created. With a stamp, attributes added
 * values to this tool if the server stores attributions. Throws `CatalogError` if an edit would change malformed values.
 */
export function applyEdits(
  { initial, set, edits = [] }: Proposal,
  stored: JsonObject | undefined,
  stamp?: Stamp,
): JsonObject | undefined {
  const due = edits.filter(
    (edit) => !isListEdit(edit) || !edit.isForAttribution || keepsAttribution(stamp, edit.attribution),
  );
  const isNothingNew = due.length > 0 && Object.keys(set).length === 0 && !due.some(adds);
  if (!stored && isNothingNew) return undefined;
  const value: Record<string, Json | undefined> = { ...stored };
  for (const [field, before] of Object.entries(initial)) value[field] ??= before;
  for (const [field, after] of Object.entries(set)) {
    if (after === null) delete value[field];
    else value[field] = after;
  }
  let result: JsonObject = value;
  for (const edit of due) result = withEdit(withMergedElements(result, edit), edit.at, edit, stamp);
  return result;
}

/** Merges elements of the edited list that should be a single element. The merged element contains all of their values. */
function withMergedElements(holder: JsonObject, edit: Edit): JsonObject {
  const [field] = edit.at;
  if (!isListEdit(edit) || !edit.unites || typeof field !== "string") return holder;
  const [by, list] = edit.unites;
  const elements = listIn(holder[field], field);
  const groups = groupBy(elements, (each) => canonicalJson(isJsonObject(each) ? (each[by] ?? null) : each));
  if (groups.size === elements.length) return holder;
  const all = [...groups.values()].flatMap(([first, ...others]): readonly Json[] => {
    if (first === undefined || !isJsonObject(first) || others.length === 0)
      return first === undefined ? [] : [first];
    const values = [first, ...others].flatMap((each) => (isJsonObject(each) ? listIn(each[list], list) : []));
    return [{ ...first, [list]: [...new Map(values.map((each) => [canonicalJson(each), each])).values()] }];
  });
  return { ...holder, [field]: all };
}

function keepsAttribution(stamp: Stamp | undefined, field: string | undefined): stamp is Stamp {
  return stamp !== undefined && field !== undefined && stamp.keeps.has(field);
}

function adds(edit: Edit): boolean {
  return isListEdit(edit) ? edit.add.length > 0 : edit.value !== null;
}

/** Returns an object with an edit applied to one of its fields, or to a nested list or field. */
function withEdit(holder: JsonObject, [field, ...rest]: Edit["at"], edit: Edit, stamp?: Stamp): JsonObject {
  if (typeof field !== "string") throw new Error("the path of an edit must begin with a field");
  const [next, ...below] = rest;
  const stored = holder[field];
  if (next === undefined) return withField(holder, field, edit, stamp);
  if (typeof next === "string") {
    const inner = mappingIn(stored, field);
    return !inner && !adds(edit) ? holder : { ...holder, [field]: withEdit(inner ?? {}, rest, edit, stamp) };
  }
  const list = listIn(stored, field);
  const place = list.findIndex((element) => equals(element, next));
  const element = list[place];
  if (!isJsonObject(element) && !adds(edit)) return holder;
  const edited = withEdit(isJsonObject(element) ? element : { ...next }, below, edit, stamp);
  const elements = elementsFrom(edited, edit, stamp);
  const at = place < 0 ? list.length : place;
  return { ...holder, [field]: list.toSpliced(at, 1, ...elements) };
}

/**
 * Returns the element that contains an edited list, or no element if the list is now empty and the edit removes such elements.
 */
function elementsFrom(edited: JsonObject, edit: Edit, stamp?: Stamp): readonly JsonObject[] {
  if (!isListEdit(edit) || edit.emptied !== "element") return [edited];
  const list = edit.at.at(-1);
  if (typeof list === "string" && listIn(edited[list], list).length === 0) return [];
  return [attributed(edited, edit.attribution, stamp)];
}

function withField(holder: JsonObject, field: string, edit: Edit, stamp?: Stamp): JsonObject {
  if (isListEdit(edit)) {
    const list = editedList(listIn(holder[field], field), edit, stamp);
    if (edit.emptied !== "field" || list.length > 0)
      return { ...holder, [field]: list, ...stamped(edit, stamp) };
  }
  const { [field]: _, ...others } = holder;
  if (isListEdit(edit)) return others;
  const { value, actor } = edit;
  return {
    ...others,
    ...(value !== null && { [field]: value }),
    ...(actor !== undefined && stamp && { [actor]: stamp.actor }),
  };
}

function stamped({ stamp: field }: ListEdit, stamp: Stamp | undefined): JsonObject {
  return field !== undefined && stamp ? { [field]: { time: stamp.time, actor: stamp.actor } } : {};
}

function editedList(
  list: readonly Json[],
  { add, remove, attribution, created, emptied }: ListEdit,
  stamp?: Stamp,
): readonly Json[] {
  // With `remove: "all"`, an element that is also added keeps its other fields.
  const kept = list.filter((element) =>
    remove === "all"
      ? add.some(({ element: added }) => equals(element, added))
      : !remove.some((pattern) => equals(element, pattern)),
  );
  const missing = add.filter(
    ({ element, unless = [element] }) =>
      !kept.some((known) => unless.some((pattern) => equals(known, pattern))),
  );
  const own = emptied === "element" ? undefined : attribution;
  const made = missing.map(({ element }) => attributed(element, own, stamp));
  return [...kept, ...made.map((element) => createdBy(element, created, stamp))];
}

function attributed(element: JsonObject, field: string | undefined, stamp: Stamp | undefined): JsonObject;
function attributed(element: Json, field: string | undefined, stamp: Stamp | undefined): Json;
function attributed(element: Json, field: string | undefined, stamp: Stamp | undefined): Json {
  if (!isJsonObject(element) || !keepsAttribution(stamp, field)) return element;
  const { time, actor, source, detail: sourceDetail } = stamp;
  return { ...element, attribution: { time, actor, source, sourceDetail } };
}

function createdBy(element: Json, field: string | undefined, stamp: Stamp | undefined): Json {
  if (!isJsonObject(element) || field === undefined || !stamp) return element;
  return { ...element, [field]: { time: stamp.time, actor: stamp.actor } };
}

// Returns a list, or an empty list if DataHub omits it or stores null.
function listIn(value: Json | undefined, field: string): readonly Json[] {
  if (value === undefined || value === null) return [];
  if (isJsonList(value)) return value;
  throw malformed(field);
}

function mappingIn(value: Json | undefined, field: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (isJsonObject(value)) return value;
  throw malformed(field);
}

// Returns the error that is thrown instead of overwriting a malformed aspect.
function malformed(field: string): CatalogError {
  return new CatalogError(
    "answer",
    `the stored aspect has a malformed field \`${field}\`, so the aspect was not changed`,
  );
}

function equals(element: Json, pattern: Json | ListEdit["at"][number]): boolean {
  if (!isJsonObject(pattern)) return element === pattern;
  return (
    isJsonObject(element) &&
    Object.entries(pattern).every(([field, value]) => isSame(element[field] ?? null, value))
  );
}

function isSame(a: Json, b: Json | undefined): boolean {
  return a === b || (typeof b === "object" && b !== null && canonicalJson(a) === canonicalJson(b));
}
