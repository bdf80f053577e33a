import { aspectsKeptOf } from "../../facets/deleted-aspects.ts";
import { edgesOfMembers } from "../../facets/index.ts";
import { fullerIn, withoutStamps } from "../../facets/stored-elements.ts";
import { writesFor } from "../../facets/writes.ts";
import { kindOf } from "../../kinds/index.ts";
import type { EntityChange, FacetChange, OwnValue } from "../../model/change.ts";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Edit, Proposal } from "../../model/operation.ts";
import type { Entity } from "../../model/state.ts";

/** What a deletion says of what it takes away. */
export type Content = Pick<EntityChange, "aspects" | "values">;

/** How much of an entity is kept beside its values, in characters of JSON. Plans and runs have it. */
const maxContent = 100_000;

/**
 * The values of an entity with what is stored of it beside them, which manifests cannot express: fields of its aspects, and of their
 * elements. Of what is only soft-deleted everything stays in the catalog.
 */
export function contentOf(
  { urn, kind }: Pick<Entity, "urn" | "kind">,
  values: readonly OwnValue[],
  stored: JsonObject | undefined,
): Content {
  if (!stored || kindOf(kind).deletion?.mutation === undefined) return { values };
  const known = knownFields(kind);
  const own = values.map((value) => {
    const proposals = proposalsFor({ urn, kind }, value);
    for (const { aspect, set, edits = [] } of proposals)
      for (const field of [...Object.keys(set), ...edits.map(fieldOf)]) known.add(`${aspect}.${field}`);
    const fuller = proposals.flatMap(({ aspect, edits = [] }) => fullerIn(objectIn(stored[aspect]), edits));
    return value.elements && fuller.length > 0 ? { ...value, stored: fuller } : value;
  });
  const aspects = Object.fromEntries(
    aspectsKeptOf(kind).flatMap((aspect) => {
      const whole = objectIn(stored[aspect]);
      const fields = Object.entries(withoutStamps(whole));
      const left = fields.filter(([field, value]) => !known.has(`${aspect}.${field}`) && !isBlank(value));
      if (left.length === 0) return [];
      // No value writes it: DataHub may require fields that are no content.
      const isAlone = fields.every(([field]) => !known.has(`${aspect}.${field}`));
      return [[aspect, isAlone ? whole : Object.fromEntries(left)]];
    }),
  );
  const fuller = own.flatMap((value) => (value.elements ? (value.stored ?? []) : []));
  if (canonicalJson([aspects, fuller]).length > maxContent) return { values, aspects: null };
  return { values: own, ...(Object.keys(aspects).length > 0 && { aspects }) };
}

/** The fields, as `aspect.field`, in which a kind keeps what manifests can express; without those that only values show. */
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

// DataHub leaves such a field out, or not.
function isBlank(value: Json | undefined): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "" || value === false;
}

function fieldOf(edit: Edit): string {
  const [field] = edit.at;
  return typeof field === "string" ? field : "";
}

/** The proposals that would write a value into the aspects of its entity. */
function proposalsFor(
  { urn, kind }: Pick<Entity, "urn" | "kind">,
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
