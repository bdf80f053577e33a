/** Converts proposals to JSON Patches (RFC 6902) if the server supports patches for their edits. */

import { canonicalJson, isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import {
  type Edit,
  type FieldEdit,
  isListEdit,
  type ListEdit,
  type ListKeys,
  type Proposal,
} from "../../model/operation.ts";

/** One operation of a JSON Patch. */
interface PatchOperation extends JsonObject {
  readonly op: "add" | "remove";
  readonly path: string;
}

/** An edit to a list whose elements a patch can identify by key. */
type KeyedEdit = ListEdit & { readonly keys: ListKeys };

type PatchedField = FieldEdit & { readonly patch: NonNullable<FieldEdit["patch"]> };

type Patchable = KeyedEdit | PatchedField;

/**
 * Converts a proposal to a JSON Patch from the stored aspect to the edited aspect. Returns `undefined` if only the entire aspect
 * can be written. `keeps` contains the GraphQL fields that show where the server stores attributions. A server without these
 * fields (before 1.3, and for domains before 1.7) does not support the patch. It rejects keys that an element does not have (pull
 * request #13618), loses the element of a column whose path has a slash (#11957), or has no template for domains (#15307).
 *
 * A patch without a version specifies the keys of list elements itself if possible. A patch with a version must not specify keys,
 * because the server would then ignore the version (ChangeItemImpl.fromPatch).
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
  if (edits.some((edit) => !isSupported(edit, keeps))) return undefined;
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
  // Several edits to a list can yield the same operation, but an element can be removed only once.
  const patch = [...new Map(operations.map((each) => [canonicalJson(each), each])).values()];
  if (edits.some((edit) => !isListEdit(edit) && edit.patch.isGeneric))
    return { patch, arrayPrimaryKeys: {}, forceGenericPatch: true };
  return arrayPrimaryKeys ? { patch, arrayPrimaryKeys } : patch;
}

/** Whether the edited list has elements that must be merged. A patch would use the same path for all of them. */
function isRepeated(stored: JsonObject, edit: Patchable): boolean {
  const [by] = (isListEdit(edit) && edit.unites) || [];
  if (by === undefined) return false;
  const elements = listAt(stored, edit.at.slice(0, 1));
  return new Set(elements.map((each) => keyIn(each, by))).size < elements.length;
}

/** Whether the server supports a patch for this edit. All servers support patches for some edits. */
function isSupported(edit: Patchable, keeps: ReadonlySet<string>): boolean {
  const field = isListEdit(edit) ? edit.attribution : edit.patch.since;
  return field === undefined || keeps.has(field);
}

/** Returns operations that write a complete element, or that remove a stored element that the edited aspect lacks. */
function replacing({ at }: ListEdit, stored: JsonObject, after: JsonObject): readonly PatchOperation[] {
  const place = at.slice(0, -1);
  const [path] = prefixTo(place);
  const [previous] = valuesAt(stored, place, true);
  const [current] = valuesAt(after, place, true);
  if (current !== undefined)
    return canonicalJson(current) === canonicalJson(previous) ? [] : [adding(path, current)];
  return previous === undefined ? [] : [{ op: "remove", path }];
}

/** Returns operations that set a field, or that remove it if its new value is null. */
function setting({ at, value }: FieldEdit, stored: JsonObject): readonly PatchOperation[] {
  const [prefix, made] = prefixTo(at);
  if (value !== null) return [...made, adding(prefix, value)];
  return valuesAt(stored, at, true).length > 0 ? [{ op: "remove", path: prefix }] : [];
}

function isPatchable(edit: Edit): edit is Patchable {
  return isListEdit(edit) ? edit.keys !== undefined : edit.patch !== undefined;
}

/** Returns the keys that a patch specifies for each list. Returns `undefined` if it cannot specify them for one of the lists. */
function ownKeysOf(edits: readonly Patchable[]): Readonly<Record<string, readonly string[]>> | undefined {
  const named = edits.flatMap((edit) => {
    const [field, ...below] = edit.at;
    const own = isListEdit(edit) ? edit.keys.own : undefined;
    return typeof field === "string" && below.length === 0 && own ? [[field, own] as const] : [];
  });
  return named.length === edits.length ? Object.fromEntries(named) : undefined;
}

/**
 * Whether DataHub's template can distinguish all elements of the edited lists, and of the corresponding lists in sibling
 * elements.
 */
function isDistinguishable(value: JsonObject, edits: readonly KeyedEdit[]): boolean {
  return edits.every(({ at, remove, emptied, keys: { template } }) => {
    const lists =
      remove === "all" || emptied === "element" ? [] : valuesAt(value, at, false).filter(isJsonList);
    return lists.every((list) => new Set(list.map((each) => pathOf(each, template))).size === list.length);
  });
}

function operationsOf(
  { at, remove }: KeyedEdit,
  keys: readonly string[],
  { before, after }: { readonly before: readonly Json[]; readonly after: readonly Json[] },
): readonly PatchOperation[] {
  const [prefix, made] = prefixTo(at);
  if (remove === "all") return [adding(prefix, after)];
  const [previous, current] = [new Set(before), new Set(after)];
  const removedPaths = before
    .filter((element) => !current.has(element))
    .map((element) => prefix + pathOf(element, keys));
  const added = after
    .filter((element) => !previous.has(element))
    .map((element) => adding(prefix + pathOf(element, keys), element));
  const written = new Set(added.map(({ path }) => path));
  return [
    ...[...new Set(removedPaths)]
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
  return value === undefined ? [] : [adding(`${prefixTo(at.slice(0, -1))[0]}/${escaped(stamp)}`, value)];
}

function adding(path: string, value: Json): PatchOperation {
  return { op: "add", path, value };
}

/**
 * Returns the path to a list, and operations that create missing elements along the path. Before 1.7, an element that a patch
 * creates lacks the key from its path (pull request #18334).
 */
function prefixTo(at: ListEdit["at"]): readonly [string, readonly PatchOperation[]] {
  let prefix = "";
  const made: PatchOperation[] = [];
  for (const step of at) {
    const keys = typeof step === "string" ? [step] : Object.values(step);
    for (const key of keys) prefix += `/${escaped(key)}`;
    if (typeof step === "string") continue;
    for (const [field, value] of Object.entries(step))
      made.push(adding(`${prefix}/${escaped(field)}`, value));
  }
  return [prefix, made];
}

function pathOf(element: Json, keys: readonly string[]): string {
  if (keys.length === 0) return `/${escaped(textIn(element))}`;
  return keys.map((key) => `/${escaped(keyIn(element, key))}`).join("");
}

/** The separator between the fields of a nested key. */
const nesting = "\u241F";

// Treats a missing key as an empty string, as the server does.
function keyIn(element: Json, key: string): string {
  let part: Json | undefined = element;
  for (const field of key.split(nesting)) part = isJsonObject(part) ? part[field] : undefined;
  return textIn(part);
}

function textIn(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Escapes one path segment (RFC 6901). */
function escaped(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Returns the list at a path, or an empty list if there is none. */
function listAt(holder: Json, at: ListEdit["at"]): readonly Json[] {
  return valuesAt(holder, at, true).find(isJsonList) ?? [];
}

/**
 * Returns the values at a path. With `isExact`, follows only elements that match the path. Otherwise, follows all elements along
 * the path.
 */
function valuesAt(holder: Json | undefined, at: ListEdit["at"], isExact: boolean): readonly Json[] {
  const [step, ...rest] = at;
  if (step === undefined) return holder === undefined ? [] : [holder];
  if (typeof step === "string") return isJsonObject(holder) ? valuesAt(holder[step], rest, isExact) : [];
  const elements = isJsonList(holder) ? holder.filter(isJsonObject) : [];
  const wanted = Object.entries(step);
  return elements
    .filter((element) => !isExact || wanted.every(([field, value]) => element[field] === value))
    .flatMap((element) => valuesAt(element, rest, isExact));
}
