import type { JsonObject } from "../../../model/json.ts";
import { entitySource, findEntitySource } from "./entity-source.ts";
import { numberAt, objectAt, objectsAt, textAt, textsAt } from "../../json-parts.ts";
import { ownershipTypeOf } from "../../store/ownership-type.ts";

/** GraphQL's GlobalTags of a `globalTags` aspect, or of the tags inside another aspect. */
export function tagsValue(tags: JsonObject, associatedUrn: string): object {
  return {
    tags: objectsAt(tags, "tags").map((entry) => ({
      tag: entitySource(textAt(entry, "tag") ?? ""),
      associatedUrn,
      context: textAt(entry, "context"),
      attribution: attributionValue(entry),
    })),
  };
}

/** GraphQL's Ownership of an `ownership` aspect; the stamp of one never given is DataHub's default. */
export function ownershipValue(ownership: JsonObject, associatedUrn: string): object {
  const stamp = objectAt(ownership, "lastModified");
  return {
    owners: objectsAt(ownership, "owners").map((owner) => ({
      owner: entitySource(textAt(owner, "owner") ?? ""),
      type: textAt(owner, "type"),
      ownershipType: entitySource(ownershipTypeOf(owner)),
      source: sourceValue(objectAt(owner, "source")),
      associatedUrn,
      attribution: attributionValue(owner),
    })),
    lastModified: {
      time: numberAt(stamp, "time") ?? 0,
      actor: textAt(stamp, "actor") ?? "urn:li:corpuser:unknown",
    },
  };
}

/** GraphQL's DomainAssociation of a `domains` aspect: the first one only (DomainAssociationMapper.java), null for none. */
export function domainValue(domains: JsonObject, associatedUrn: string): object | null {
  const [first] = textsAt(domains, "domains");
  if (first === undefined) return null;
  const association = objectsAt(domains, "domainAssociations").find((entry) => entry["domain"] === first);
  return {
    domain: entitySource(first),
    associatedUrn,
    attribution: association ? attributionValue(association) : null,
  };
}

function sourceValue(source: JsonObject | undefined): object | null {
  return source ? { type: textAt(source, "type"), url: textAt(source, "url") } : null;
}

function attributionValue(association: JsonObject): object | null {
  const attribution = objectAt(association, "attribution");
  if (!attribution) return null;
  return {
    time: numberAt(attribution, "time") ?? 0,
    actor: entitySource(textAt(attribution, "actor") ?? "urn:li:corpuser:unknown"),
    source: findEntitySource(textAt(attribution, "source") ?? "") ?? null,
    sourceDetail: Object.entries(objectAt(attribution, "sourceDetail") ?? {}).map(([key, value]) => ({
      key,
      value,
    })),
  };
}
