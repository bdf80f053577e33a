import { canonicalJson, isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import {
  type Edit,
  type FieldEdit,
  isListEdit,
  type ListEdit,
  type ListKeys,
  type Proposal,
} from "../../model/operation.ts";

/** One operation of a JSON Patch (RFC 6902). */
interface PatchOperation extends JsonObject {
  readonly op: "add" | "remove";
  readonly path: string;
}

/** An edit whose list a patch can address. */
type KeyedEdit = ListEdit & { readonly keys: ListKeys };

type Patchable = KeyedEdit | (FieldEdit & Required<Pick<FieldEdit, "patch">>);

/**
 * A proposal as a JSON Patch, by the aspect as it is stored and as it would be afterwards; `undefined` where only the whole
 * aspect can be written. `keeps` are the fields of GraphQL that show where the server keeps attributions: a server without
 * them (before 1.3, of domains before 1.7) fails at keys that an entry does not have (pull request #13618), loses the entry
 * of a column whose path has a slash (#11957), or has no template for domains (#15307).
 *
 * A patch for any version names its own keys, where it can; one for a certain version cannot, because the server ignores the
 * version then (ChangeItemImpl.fromPatch).
 */
export function patchOf(
  proposal: Proposal,
  { stored = {}, after }: { readonly stored: JsonObject | undefined; readonly after: JsonObject },
  keeps: ReadonlySet<string>,
): Json | undefined {
  const { edits: all = [], set, initial } = proposal;
  const edits = all.filter(isPatchable);
  if (edits.length === 0 || edits.length < all.length) return undefined;
  if (Object.keys({ ...set, ...initial }).length > 0) return undefined;
  if (edits.some((edit) => !isTaken(edit, keeps))) return undefined;
  if (edits.some((edit) => isRepeated(stored, edit))) return undefined;
  const lists = edits.filter(isListEdit);
  const arrayPrimaryKeys = proposal.isForAnyVersion && ownKeysOf(edits);
  if (!arrayPrimaryKeys && ![stored, after].every((value) => isDistinguishable(value, lists)))
    return undefined;
  const operations = edits.flatMap((edit) => {
    if (!isListEdit(edit)) return setting(edit, stored);
    if (edit.emptied === "element") return replacing(edit, stored, after);
    const keys = arrayPrimaryKeys ? (edit.keys.own ?? []) : edit.keys.template;
    const change = { before: listAt(stored, edit.at), after: listAt(after, edit.at) };
    return [...operationsOf(edit, keys, change), ...stamping(edit, after)];
  });
  // Each edit of a list has what all of them do, and what is removed is not there to be removed again.
  const patch = [...new Map(operations.map((each) => [canonicalJson(each), each])).values()];
  if (edits.some((edit) => !isListEdit(edit) && edit.patch.isGeneric))
    return { patch, arrayPrimaryKeys: {}, forceGenericPatch: true };
  return arrayPrimaryKeys ? { patch, arrayPrimaryKeys } : patch;
}

/** Whether the list that is edited has elements that have to be one: a patch has a single path for these. */
function isRepeated(stored: JsonObject, edit: Patchable): boolean {
  const [by] = (isListEdit(edit) && edit.unites) || [];
  if (by === undefined) return false;
  const elements = listAt(stored, edit.at.slice(0, 1));
  return new Set(elements.map((each) => keyIn(each, by))).size < elements.length;
}

/** Whether a server takes a patch of the edit; some edits are the same for all. */
function isTaken(edit: Patchable, keeps: ReadonlySet<string>): boolean {
  const field = isListEdit(edit) ? edit.attribution : edit.patch.since;
  return field === undefined || keeps.has(field);
}

/** Writes all of an element, or takes it away where it is. */
function replacing({ at }: ListEdit, stored: JsonObject, after: JsonObject): readonly PatchOperation[] {
  const place = at.slice(0, -1);
  const [path] = wayTo(place);
  const [had] = valuesAt(stored, place, true);
  const [has] = valuesAt(after, place, true);
  if (has !== undefined) return canonicalJson(has) === canonicalJson(had) ? [] : [adding(path, has)];
  return had === undefined ? [] : [{ op: "remove", path }];
}

/** Sets a field, or takes it away where it is. */
function setting({ at, value }: FieldEdit, stored: JsonObject): readonly PatchOperation[] {
  const [way, made] = wayTo(at);
  if (value !== null) return [...made, adding(way, value)];
  return valuesAt(stored, at, true).length > 0 ? [{ op: "remove", path: way }] : [];
}

function isPatchable(edit: Edit): edit is Patchable {
  return isListEdit(edit) ? edit.keys !== undefined : edit.patch !== undefined;
}

/** The keys that a patch names for each list; `undefined` where it cannot for one of them. */
function ownKeysOf(edits: readonly Patchable[]): Readonly<Record<string, readonly string[]>> | undefined {
  const named = edits.flatMap((edit) => {
    const [field, ...below] = edit.at;
    const own = isListEdit(edit) ? edit.keys.own : undefined;
    return typeof field === "string" && below.length === 0 && own ? [[field, own] as const] : [];
  });
  return named.length === edits.length ? Object.fromEntries(named) : undefined;
}

/** Whether DataHub's template takes no two elements for one, in all lists of the aspect like those that are edited. */
function isDistinguishable(value: JsonObject, edits: readonly KeyedEdit[]): boolean {
  return edits.every(({ at, remove, emptied, keys: { template } }) => {
    const lists = remove === "all" || emptied === "element" ? [] : listsAt(value, at);
    return lists.every((list) => new Set(list.map((each) => pathOf(each, template))).size === list.length);
  });
}

function operationsOf(
  { at, remove }: KeyedEdit,
  keys: readonly string[],
  { before, after }: { readonly before: readonly Json[]; readonly after: readonly Json[] },
): readonly PatchOperation[] {
  const [way, made] = wayTo(at);
  if (remove === "all") return [adding(way, after)];
  const [had, has] = [new Set(before), new Set(after)];
  const gone = before.filter((element) => !has.has(element)).map((element) => way + pathOf(element, keys));
  const added = after
    .filter((element) => !had.has(element))
    .map((element) => adding(way + pathOf(element, keys), element));
  const written = new Set(added.map(({ path }) => path));
  return [
    ...[...new Set(gone)]
      .filter((path) => !written.has(path))
      .map((path): PatchOperation => ({ op: "remove", path })),
    ...(added.length > 0 ? made : []),
    ...added,
  ];
}

function stamping({ at, stamp }: ListEdit, after: JsonObject): readonly PatchOperation[] {
  if (stamp === undefined) return [];
  const [holder] = valuesAt(after, at.slice(0, -1), true);
  const value = isJsonObject(holder) ? holder[stamp] : undefined;
  return value === undefined ? [] : [adding(`${wayTo(at.slice(0, -1))[0]}/${escaped(stamp)}`, value)];
}

function adding(path: string, value: Json): PatchOperation {
  return { op: "add", path, value };
}

/**
 * The path to a list, and what makes the elements on the way to it: before 1.7 an element that a patch makes does not get the
 * key that stands in its path (pull request #18334).
 */
function wayTo(at: ListEdit["at"]): readonly [string, readonly PatchOperation[]] {
  let way = "";
  const made: PatchOperation[] = [];
  for (const step of at) {
    const keys = typeof step === "string" ? [step] : Object.values(step);
    for (const key of keys) way += `/${escaped(key)}`;
    if (typeof step === "string") continue;
    for (const [field, value] of Object.entries(step)) made.push(adding(`${way}/${escaped(field)}`, value));
  }
  return [way, made];
}

function pathOf(element: Json, keys: readonly string[]): string {
  if (keys.length === 0) return `/${escaped(textIn(element))}`;
  return keys.map((key) => `/${escaped(keyIn(element, key))}`).join("");
}

/** Separates the fields on the way to a key. */
const nesting = "\u241F";

// What is missing is an empty text to the server, too.
function keyIn(element: Json, key: string): string {
  let part: Json | undefined = element;
  for (const field of key.split(nesting)) part = isJsonObject(part) ? part[field] : undefined;
  return textIn(part);
}

function textIn(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A part of a path (RFC 6901). */
function escaped(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The list at the end of a way; empty where there is none. */
function listAt(holder: Json, at: ListEdit["at"]): readonly Json[] {
  const [list = []] = listsAt(holder, at, true);
  return list;
}

/** The lists at the end of a way: of a list on the way those below all of its elements, or of the one that is meant. */
function listsAt(holder: Json, at: ListEdit["at"], isExact = false): readonly (readonly Json[])[] {
  return valuesAt(holder, at, isExact).filter(isJsonList);
}

function valuesAt(holder: Json | undefined, at: ListEdit["at"], isExact: boolean): readonly Json[] {
  const [step, ...rest] = at;
  if (step === undefined) return holder === undefined ? [] : [holder];
  if (typeof step === "string") return isJsonObject(holder) ? valuesAt(holder[step], rest, isExact) : [];
  const elements = isJsonList(holder) ? holder.filter(isJsonObject) : [];
  const meant = Object.entries(step);
  return elements
    .filter((element) => !isExact || meant.every(([field, value]) => element[field] === value))
    .flatMap((element) => valuesAt(element, rest, isExact));
}
