/** Converts the tags, terms, owners and attributions in aspects to GraphQL values. */

import type { JsonObject } from "../../../model/json.ts";
import { entityAt, entriesAt } from "./property-values.ts";
import { entitySource, findEntitySource } from "./source.ts";
import { numberAt, objectAt, objectsAt, stringAt } from "../../json.ts";
import { ownershipTypeOf } from "../../store/ownership-type.ts";

/** Converts a `globalTags` aspect, or tags inside another aspect, to GraphQL's GlobalTags. */
export function tagsValue(tags: JsonObject, associatedUrn: string): object {
  return {
    tags: objectsAt(tags, "tags").map((entry) => ({
      tag: entityAt(entry, "tag"),
      ...labelValue(entry, associatedUrn),
    })),
  };
}

/** Converts a `glossaryTerms` aspect, or terms inside another aspect, to GraphQL's GlossaryTerms. */
export function termsValue(terms: JsonObject, associatedUrn: string): object {
  return {
    terms: objectsAt(terms, "terms").map((entry) => ({
      term: entityAt(entry, "urn"),
      actor: entityAt(entry, "actor"),
      ...labelValue(entry, associatedUrn),
    })),
  };
}

function labelValue(entry: JsonObject, associatedUrn: string): object {
  return { associatedUrn, context: stringAt(entry, "context"), attribution: attributionValue(entry) };
}

/**
 * Converts an `ownership` aspect to GraphQL's Ownership. If the audit stamp is missing, the result contains DataHub's default
 * stamp.
 */
export function ownershipValue(ownership: JsonObject, associatedUrn: string): object {
  const stamp = objectAt(ownership, "lastModified");
  return {
    owners: objectsAt(ownership, "owners").map((owner) => ({
      owner: entityAt(owner, "owner"),
      type: stringAt(owner, "type"),
      ownershipType: entitySource(ownershipTypeOf(owner)),
      source: objectAt(owner, "source") ?? null,
      associatedUrn,
      attribution: attributionValue(owner),
    })),
    lastModified: {
      time: numberAt(stamp, "time") ?? 0,
      actor: stringAt(stamp, "actor") ?? "urn:li:corpuser:unknown",
    },
  };
}

/** Converts an association's attribution to GraphQL's MetadataAttribution. Returns null if the association has none. */
export function attributionValue(association: JsonObject): object | null {
  const attribution = objectAt(association, "attribution");
  if (!attribution) return null;
  return {
    time: numberAt(attribution, "time") ?? 0,
    actor: entitySource(stringAt(attribution, "actor") ?? "urn:li:corpuser:unknown"),
    source: findEntitySource(stringAt(attribution, "source") ?? "") ?? null,
    sourceDetail: entriesAt(attribution, "sourceDetail"),
  };
}
