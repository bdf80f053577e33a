/** Restores list elements exactly as they were stored, including fields that manifests cannot express. */

import type { SetChange } from "../model/change.ts";
import { canonicalJson, isJsonList, isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { type Edit, isListEdit, type ListEdit } from "../model/operation.ts";

type Addition = ListEdit["add"][number];

/**
 * Changes edits so that added elements include all fields of the matching elements in `stored`, even fields that manifests cannot
 * express.
 */
export function withStoredFields(edits: readonly Edit[], { stored = [] }: SetChange): readonly Edit[] {
  if (stored.length === 0) return edits;
  return edits.map((edit) =>
    isListEdit(edit) ? { ...edit, add: edit.add.map((addition) => asStored(addition, stored)) } : edit,
  );
}

function asStored(addition: Addition, stored: readonly JsonObject[]): Addition {
  const { element, unless = [element] } = addition;
  const known = stored.find((each) => matchesAddition(each, addition));
  return known && isJsonObject(element) ? { element: { ...known, ...element }, unless } : addition;
}

/** Returns the elements in `stored` that the edits add. */
export function storedElementsAdded(
  stored: readonly JsonObject[],
  edits: readonly Edit[],
): readonly JsonObject[] {
  const additions = edits.filter(isListEdit).flatMap(({ add }) => add);
  return stored.filter((each) => additions.some((addition) => matchesAddition(each, addition)));
}

/** Finds the elements in an aspect that match the elements to be added, but have more fields. */
export function addedWithMoreFields(aspect: JsonObject, edits: readonly Edit[]): readonly JsonObject[] {
  return edits.filter(isListEdit).flatMap(({ at, add }) => {
    const elements = elementsAt(aspect, at).map(withoutStamps);
    return add.flatMap((addition) => {
      const { element } = addition;
      const found = elements.find((each) => matchesAddition(each, addition));
      return found && isJsonObject(element) && isFuller(found, element) ? [found] : [];
    });
  });
}

/** Finds the elements in an aspect that match the elements to be removed, but have more fields. */
export function removedWithMoreFields(aspect: JsonObject, edits: readonly Edit[]): readonly JsonObject[] {
  return edits.filter(isListEdit).flatMap(({ at, remove }) => {
    const patterns = remove === "all" ? [] : remove.filter(isJsonObject);
    return elementsAt(aspect, at)
      .map(withoutStamps)
      .filter((each) => patterns.some((pattern) => hasAll(each, pattern) && isFuller(each, pattern)));
  });
}

function elementsAt(aspect: JsonObject, at: ListEdit["at"]): readonly JsonObject[] {
  return at.length === 1 ? listAt(aspect, at) : [];
}

/** Returns the objects in the list at a path; empty if there is no list. */
export function listAt(holder: Json | undefined, [step, ...below]: ListEdit["at"]): readonly JsonObject[] {
  if (typeof step === "string") return listAt(isJsonObject(holder) ? holder[step] : undefined, below);
  const list = isJsonList(holder) ? holder.filter(isJsonObject) : [];
  if (step === undefined) return list;
  return listAt(
    list.find((each) => hasAll(each, step)),
    below,
  );
}

function matchesAddition(stored: JsonObject, { element, unless = [element] }: Addition): boolean {
  return unless.some((pattern) => isJsonObject(pattern) && hasAll(stored, pattern));
}

/** Whether an element has all fields of a pattern. In a pattern, `null` matches a missing field. */
function hasAll(stored: JsonObject, pattern: JsonObject): boolean {
  return Object.entries(pattern).every(
    ([field, value = null]) => canonicalJson(stored[field] ?? null) === canonicalJson(value),
  );
}

function isFuller(stored: JsonObject, pattern: JsonObject): boolean {
  return Object.keys(stored).some((field) => !(field in pattern));
}

/**
 * The fields, besides stamps, that the server sets itself: the user who added an element, its attribution, and an index for
 * searches.
 */
const writtenByServer: ReadonlySet<string> = new Set(["actor", "attribution", "ownerTypes"]);

/** Removes the fields that the server sets: stamps, attributions, indexes for searches, and constants. */
export function withoutStamps(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([field, value]) =>
        value !== undefined && value !== null && !writtenByServer.has(field) && !isStamp(value),
    ),
  );
}

/** Whether a value is an AuditStamp, or the constant source of an owner that a user added. */
function isStamp(value: Json): boolean {
  return isJsonObject(value) && (isAuditStamp(value) || canonicalJson(value) === '{"type":"MANUAL"}');
}

/** Whether a value is an AuditStamp from DataHub. Every write updates the stamp, even a write that only removes something. */
export function isAuditStamp({ time, actor }: JsonObject): boolean {
  return typeof time === "number" && typeof actor === "string" && actor.startsWith("urn:li:");
}
