/** Keeps the two fields in the `domains` aspect in sync, and rejects contradictory values. */

import { canonicalJson, type Json, type JsonObject } from "../../model/json.ts";
import { objectAt, objectsAt, stringAt, stringsAt } from "../json.ts";
import { invalid } from "../errors.ts";

/**
 * Makes the two fields in a `domains` aspect list the same domains (metadata-io DomainsSyncMutationHook.java, since 1.7). If only
 * `domains` is written, keeps the associations for the remaining domains. If `domainAssociations` is written, it overrides
 * `domains`. Propagated associations come last.
 * @throws RequestError when both fields change and contradict each other.
 */
export function syncDomains(proposed: JsonObject, before: JsonObject | undefined, urn: string): JsonObject {
  const associations = associationsFor(proposed, before, urn).toSorted(
    (a, b) => Number(isPropagated(a)) - Number(isPropagated(b)),
  );
  const domains = [...new Set(associations.map(domainOf))];
  return { ...proposed, domains, domainAssociations: associations };
}

function associationsFor(
  proposed: JsonObject,
  before: JsonObject | undefined,
  urn: string,
): readonly JsonObject[] {
  const given = proposed["domainAssociations"];
  if (given === undefined || given === null) return associationsOfDomains(proposed, before);
  const domainsChanged = differs(proposed["domains"], before?.["domains"]);
  const associationsChanged = differs(given, before?.["domainAssociations"]);
  if (domainsChanged && !associationsChanged) return associationsOfDomains(proposed, before);
  const associations = objectsAt(proposed, "domainAssociations");
  if (domainsChanged && contradicts(stringsAt(proposed, "domains"), associations.map(domainOf)))
    throw invalid(
      "Cannot update both 'domains' and 'domainAssociations' in the same write. Use 'domainAssociations' for rich " +
        `metadata or 'domains' for legacy compatibility, but not both. Entity: ${urn}`,
    );
  return associations;
}

function associationsOfDomains(proposed: JsonObject, before: JsonObject | undefined): readonly JsonObject[] {
  const domains = new Set(stringsAt(proposed, "domains"));
  const kept = objectsAt(before, "domainAssociations").filter((entry) => domains.has(domainOf(entry)));
  const known = new Set(kept.map(domainOf));
  const added = [...domains].filter((domain) => !known.has(domain)).map((domain) => ({ domain }));
  return [...kept, ...added];
}

function contradicts(domains: readonly string[], associated: readonly string[]): boolean {
  const named = new Set(domains);
  const linked = new Set(associated);
  return named.size > 0 && (named.size !== linked.size || domains.some((domain) => !linked.has(domain)));
}

function differs(proposed: Json | undefined, before: Json | undefined): boolean {
  return canonicalJson(proposed ?? []) !== canonicalJson(before ?? []);
}

function isPropagated(association: JsonObject): boolean {
  const detail = objectAt(objectAt(association, "attribution"), "sourceDetail");
  return stringAt(detail, "propagated")?.toLowerCase() === "true";
}

function domainOf(association: JsonObject): string {
  return stringAt(association, "domain") ?? "";
}
