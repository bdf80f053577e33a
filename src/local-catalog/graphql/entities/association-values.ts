import type { JsonObject } from "../../../model/json.ts";
import { entitySource, findEntitySource } from "./source.ts";
import { numberAt, objectAt, objectsAt, stringAt, stringsAt } from "../../json.ts";
import { ownershipTypeOf } from "../ownership-type.ts";

/** GraphQL's GlobalTags for a `globalTags` aspect, or for tags inside another aspect. */
export function tagsValue(tags: JsonObject, associatedUrn: string): object {
  return {
    tags: objectsAt(tags, "tags").map((entry) => ({
      tag: entitySource(stringAt(entry, "tag") ?? ""),
      associatedUrn,
      context: stringAt(entry, "context"),
      attribution: attributionValue(entry),
    })),
  };
}

/** GraphQL's Ownership for an `ownership` aspect, with DataHub's default for a missing stamp. */
export function ownershipValue(ownership: JsonObject, associatedUrn: string): object {
  const stamp = objectAt(ownership, "lastModified");
  return {
    owners: objectsAt(ownership, "owners").map((owner) => ({
      owner: entitySource(stringAt(owner, "owner") ?? ""),
      type: stringAt(owner, "type"),
      ownershipType: entitySource(ownershipTypeOf(owner)),
      source: sourceValue(objectAt(owner, "source")),
      associatedUrn,
      attribution: attributionValue(owner),
    })),
    lastModified: {
      time: numberAt(stamp, "time") ?? 0,
      actor: stringAt(stamp, "actor") ?? "urn:li:corpuser:unknown",
    },
  };
}

/** GraphQL's DomainAssociation for a `domains` aspect: the first domain (DomainAssociationMapper.java), or null. */
export function domainValue(domains: JsonObject, associatedUrn: string): object | null {
  const [first] = stringsAt(domains, "domains");
  if (first === undefined) return null;
  const association = objectsAt(domains, "domainAssociations").find((entry) => entry["domain"] === first);
  return {
    domain: entitySource(first),
    associatedUrn,
    attribution: association ? attributionValue(association) : null,
  };
}

function sourceValue(source: JsonObject | undefined): object | null {
  return source ? { type: stringAt(source, "type"), url: stringAt(source, "url") } : null;
}

function attributionValue(association: JsonObject): object | null {
  const attribution = objectAt(association, "attribution");
  if (!attribution) return null;
  return {
    time: numberAt(attribution, "time") ?? 0,
    actor: entitySource(stringAt(attribution, "actor") ?? "urn:li:corpuser:unknown"),
    source: findEntitySource(stringAt(attribution, "source") ?? "") ?? null,
    sourceDetail: Object.entries(objectAt(attribution, "sourceDetail") ?? {}).map(([key, value]) => ({
      key,
      value,
    })),
  };
}
