/** Collects a deleted entity's content, including fields that manifests cannot express, so a rollback can restore the entity. */

import { aspectsSavedOf } from "../../facets/deleted-aspects.ts";
import { edgesOfMembers } from "../../facets/index.ts";
import { addedWithMoreFields, withoutStamps } from "../../facets/stored-elements.ts";
import { writesFor } from "../../facets/writes.ts";
import { kindOf } from "../../kinds/index.ts";
import type { DeletedContent, FacetChange, OwnValue } from "../../model/change.ts";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Edit, Proposal } from "../../model/operation.ts";
import type { EntityKey } from "../../model/state.ts";

/** The maximum size of an entity's saved content, in characters of JSON text. The content is stored in plans and run reports. */
const maxContent = 100_000;

/**
 * Returns an entity's values, and all fields in its aspects and elements that manifests cannot express. The catalog keeps all
 * content of a soft-deleted entity, so only the values are returned for such an entity.
 */
export function contentOf(
  { urn, kind }: EntityKey,
  values: readonly OwnValue[],
  stored: JsonObject | undefined,
): DeletedContent {
  if (!stored || kindOf(kind).deletion?.mutation === undefined) return { values };
  const known = knownFields(kind);
  const own = values.map((value) => {
    const proposals = proposalsFor({ urn, kind }, value);
    for (const { aspect, set, edits = [] } of proposals)
      for (const field of [...Object.keys(set), ...edits.map(fieldOf)]) known.add(`${aspect}.${field}`);
    const fuller = proposals.flatMap(({ aspect, edits = [] }) =>
      addedWithMoreFields(objectIn(stored[aspect]), edits),
    );
    return value.elements && fuller.length > 0 ? { ...value, stored: fuller } : value;
  });
  const aspects = Object.fromEntries(
    aspectsSavedOf(kind).flatMap((aspect) => {
      const all = objectIn(stored[aspect]);
      const fields = Object.entries(withoutStamps(all));
      const left = fields.filter(([field, value]) => !known.has(`${aspect}.${field}`) && !isBlank(value));
      if (left.length === 0) return [];
      // If manifests can express none of the aspect's fields, all fields are kept, because DataHub may require some of them.
      const isAlone = fields.every(([field]) => !known.has(`${aspect}.${field}`));
      return [[aspect, isAlone ? all : Object.fromEntries(left)]];
    }),
  );
  const fuller = own.flatMap((value) => (value.elements ? (value.stored ?? []) : []));
  if (canonicalJson([aspects, fuller]).length > maxContent) return { values, aspects: null };
  return { values: own, ...(Object.keys(aspects).length > 0 && { aspects }) };
}

/**
 * Returns the fields, as `aspect.field`, in which entities of a kind store values that manifests can express. Excludes
 * display-only fields.
 */
function knownFields(kind: string): Set<string> {
  const lists = edgesOfMembers.flatMap(({ storedByMembers }) => storedByMembers.lists);
  return new Set([
    ...Object.values(kindOf(kind).storage).map(([aspect, field]) => `${aspect}.${field}`),
    ...lists.map(({ aspect, list }) => `${aspect}.${list}`),
  ]);
}

function objectIn(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

// Whether a field contains a blank value, which DataHub may either write or omit.
function isBlank(value: Json | undefined): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "" || value === false;
}

function fieldOf(edit: Edit): string {
  const [field] = edit.at;
  return typeof field === "string" ? field : "";
}

/** Returns the proposals that write a value into the aspects of an entity. */
function proposalsFor(
  { urn, kind }: EntityKey,
  { elements, value = null, ...place }: OwnValue,
): readonly Proposal[] {
  const about = { action: "update", urn, kind, fingerprint: "", ...place } as const;
  const change: FacetChange = elements
    ? { ...about, shape: "set", add: elements, remove: [] }
    : { ...about, shape: "scalar", before: null, after: value };
  return writesFor(change, "conditional").flatMap(({ request }) =>
    request.type === "proposal" && request.urn === urn ? [request] : [],
  );
}
