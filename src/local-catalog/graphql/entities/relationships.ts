/** Reads the GraphQL field `relationships`, which returns an entity's relationships in pages, including group memberships. */

import { isJsonObject, type JsonObject } from "../../../model/json.ts";
import type { AspectReader } from "../../store/aspect-reader.ts";
import type { EntityField, FieldArguments } from "./field.ts";
import { isRedacted } from "./restricted.ts";
import { findEntitySource } from "./source.ts";
import { numberAt, stringsAt } from "../../json.ts";
import { entityTypeOfUrn } from "../../registry/entity-types.ts";
import { relatedTo, type Relationship } from "../../store/relationships.ts";

/**
 * The two user aspects that contain group memberships, keyed by relationship. Ingestion writes the first, and DataHub manages the
 * second (GroupMembership.pdl, NativeGroupMembership.pdl).
 */
export const membershipAspects = {
  IsMemberOfGroup: ["groupMembership", "groups"],
  IsMemberOfNativeGroup: ["nativeGroupMembership", "nativeGroups"],
} as const;

/**
 * Reads a page of an entity's relationships. A page has 100 entries by default, or all entries if the request selects only
 * memberships (GraphClient.java).
 */
export const relationshipsField: EntityField = {
  isIndexed: true,
  aspects(args) {
    const { types, isIncoming } = requested(args);
    return areMemberships(types) && !isIncoming ? memberships.map(([, [aspect]]) => aspect) : [];
  },
  read(urn, reader, args, context) {
    const { input, types, isIncoming } = requested(args);
    const direction = isIncoming ? "INCOMING" : "OUTGOING";
    const found =
      isIncoming && areMemberships(types)
        ? membersOf(urn, types, reader)
        : relatedTo(urn, direction, (type) => types.includes(type), reader);
    const all = found.filter((edge) => isSelected(edge.urn, input, reader) && !isRedacted(edge.urn, context));
    const start = Math.max(0, numberAt(input, "start") ?? 0);
    const defaultCount = areMemberships(types) ? all.length : 100;
    const count = Math.max(0, numberAt(input, "count") ?? defaultCount);
    const relationships = all.slice(start, start + count).map(({ type, urn: other }) => ({
      type,
      direction,
      entity: findEntitySource(other) ?? null,
      created: null,
    }));
    return { start, count: relationships.length, total: all.length, relationships };
  },
};

function requested({ input: given }: FieldArguments) {
  const input = isJsonObject(given) ? given : {};
  return { input, types: stringsAt(input, "types"), isIncoming: input["direction"] === "INCOMING" };
}

function isSelected(other: string, input: JsonObject, reader: AspectReader): boolean {
  const entityTypes = stringsAt(input, "relatedEntityTypes");
  if (entityTypes.length > 0 && !entityTypes.includes(entityTypeOfUrn(other)?.name ?? "")) return false;
  return input["includeSoftDelete"] !== false || reader.aspect(other, "status")?.["removed"] !== true;
}

const memberships = Object.entries(membershipAspects);

// Whether all of the given relationship types represent group memberships. Like DataHub, the catalog handles memberships
// separately.
function areMemberships(types: readonly string[]): boolean {
  return types.length > 0 && types.every((type) => type in membershipAspects);
}

/** Finds a group's members through the relationships from users to groups. Reads only the membership aspects. */
function membersOf(group: string, types: readonly string[], reader: AspectReader): readonly Relationship[] {
  return memberships
    .filter(([type]) => types.includes(type))
    .flatMap(([type, [aspect, field]]) =>
      [...reader.aspectUnder("urn:li:corpuser:", aspect)].flatMap(([user, value]) =>
        stringsAt(value, field).includes(group) ? [{ type, urn: user }] : [],
      ),
    );
}
