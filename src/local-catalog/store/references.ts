import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { AspectStore, AuditTrail } from "./aspect-store.ts";
import { writeAspect } from "./aspect-write.ts";

/** An aspect that referred to a removed entity. */
export interface ReferringAspect {
  readonly urn: string;
  readonly aspect: string;
}

/**
 * Takes every reference to an entity out of the aspects of all others (DeleteEntityService.deleteReferencesTo,
 * which DataHub runs a little later): its entry of a list goes as a whole, a single reference loses its field,
 * and an aspect that was nothing but the reference goes. Who did something and when is no reference and stays.
 * Answers the aspects, also with `dryRun`, which changes nothing.
 */
export function removeReferences(
  store: AspectStore,
  urn: string,
  audit: AuditTrail,
  { dryRun = false } = {},
): readonly ReferringAspect[] {
  const referring: (ReferringAspect & { readonly rest: JsonObject | undefined })[] = [];
  store.eachContaining(urn, (holder, aspect, value) => {
    if (holder === urn) return;
    const rest = without(value, urn);
    if (rest !== value) referring.push({ urn: holder, aspect, rest });
  });
  if (!dryRun)
    store.transaction(() => {
      for (const { urn: holder, aspect, rest } of referring) {
        if (rest) writeAspect(store, holder, aspect, rest, audit);
        else store.deleteAspect(holder, aspect);
      }
    });
  return referring.map(({ urn: holder, aspect }) => ({ urn: holder, aspect }));
}

// Stamps and attributions say who did something: history, and no relationship of DataHub's models.
const history = new Set(["actor", "attribution", "created", "lastModified", "auditStamp", "impersonator"]);

// Fields of an entry of a list that refer beside the entry's subject, so that the entry outlives them (Owner.pdl).
const optionalInEntries = new Set(["typeUrn"]);

/** The object without its references; itself when it has none, undefined when nothing is left. */
function without(value: JsonObject, urn: string): JsonObject | undefined {
  const entries = Object.entries(value).map(([key, part]) => [key, partWithout(key, part, urn)] as const);
  if (entries.every(([key, part]) => part === value[key])) return value;
  const kept = entries.filter(([, part]) => part !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function partWithout(key: string, part: Json | undefined, urn: string): Json | undefined {
  if (history.has(key)) return part;
  if (key === urn || part === urn) return undefined;
  if (Array.isArray(part)) return listWithout(part as readonly Json[], urn);
  return isJsonObject(part) ? without(part, urn) : part;
}

function listWithout(list: readonly Json[], urn: string): readonly Json[] {
  const kept = list.flatMap((entry): readonly Json[] => {
    if (entry === urn) return [];
    if (Array.isArray(entry)) return [listWithout(entry as readonly Json[], urn)];
    if (!isJsonObject(entry)) return [entry];
    if (isAbout(entry, urn)) return [];
    const rest = without(entry, urn);
    return rest ? [rest] : [];
  });
  return kept.length === list.length && kept.every((entry, index) => entry === list[index]) ? list : kept;
}

function isAbout(entry: JsonObject, urn: string): boolean {
  return Object.entries(entry).some(
    ([key, part]) => part === urn && !history.has(key) && !optionalInEntries.has(key),
  );
}
