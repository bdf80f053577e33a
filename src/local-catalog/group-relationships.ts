import { isJsonObject } from "../model/json.ts";
import type { AspectReader } from "./aspect-reader.ts";
import type { EntityField, FieldArguments } from "./entity-field.ts";
import { entitySource } from "./entity-source.ts";
import { textsAt } from "./json-parts.ts";
import { membershipAspects } from "./membership.ts";

interface Related {
  readonly type: string;
  readonly urn: string;
}

type Membership = readonly [type: string, aspect: string, field: string];

const memberships = Object.entries(membershipAspects).map(([type, [aspect, field]]): Membership => [
  type,
  aspect,
  field,
]);

/** The groups of a user, by the relationships that point from users to groups. */
export const groupsOfUser: EntityField = {
  aspects: () => memberships.map(([, aspect]) => aspect),
  read: (urn, reader, args) =>
    page("OUTGOING", args, reader, ([type, aspect, field]) =>
      textsAt(reader.aspect(urn, aspect), field).map((group) => ({ type, urn: group })),
    ),
};

/** The members of a group, by the same relationships. */
export const membersOfGroup: EntityField = {
  aspects: () => [],
  read: (urn, reader, args) =>
    page("INCOMING", args, reader, ([type, aspect, field]) =>
      [...reader.aspectUnder("urn:li:corpuser:", aspect)].flatMap(([user, value]) =>
        textsAt(value, field).includes(urn) ? [{ type, urn: user }] : [],
      ),
    ),
};

// Memberships are answered all at once where no count is given (GraphClient, EntityRelationshipsResultResolver.java).
function page(
  direction: "OUTGOING" | "INCOMING",
  args: FieldArguments,
  reader: AspectReader,
  relatedBy: (membership: Membership) => readonly Related[],
): object {
  const input = isJsonObject(args["input"]) ? args["input"] : {};
  const types = textsAt(input, "types");
  const wanted = input["direction"] === direction ? memberships.filter(([type]) => types.includes(type)) : [];
  const all = wanted
    .flatMap(relatedBy)
    .filter(({ urn }) => input["includeSoftDelete"] !== false || !isRemoved(urn, reader));
  const start = typeof input["start"] === "number" ? Math.max(0, input["start"]) : 0;
  const end = typeof input["count"] === "number" ? start + Math.max(0, input["count"]) : all.length;
  const relationships = all.slice(start, end).map(({ type, urn }) => ({
    type,
    direction,
    entity: entitySource(urn),
    created: null,
  }));
  return { start, count: relationships.length, total: all.length, relationships };
}

function isRemoved(urn: string, reader: AspectReader): boolean {
  return reader.aspect(urn, "status")?.["removed"] === true;
}
