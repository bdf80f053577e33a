import { isJsonObject } from "../../../model/json.ts";
import type { AspectReader } from "../../store/aspect-reader.ts";
import type { EntityField } from "./field.ts";
import { findEntitySource } from "./source.ts";
import { areMemberships, membersOf } from "./group-members.ts";
import { numberAt, stringsAt } from "../../json.ts";
import { membershipAspects } from "../membership.ts";
import { entityTypeOfUrn } from "../../registry/entity-types.ts";
import { relatedTo, type Relationship } from "../../store/relationships.ts";

/** A page of an entity's relationships: 100 by default, or all if only memberships are requested (GraphClient.java). */
export const relationshipsField: EntityField = {
  isIndexed: true,
  aspects: ({ input }) => {
    const ahead = directionOf(input) === "OUTGOING" && areMemberships(stringsIn(input, "types"));
    return ahead ? Object.values(membershipAspects).map(([aspect]) => aspect) : [];
  },
  read(urn, reader, { input }) {
    const types = stringsIn(input, "types");
    const direction = directionOf(input);
    const all = related(urn, direction, types, reader).filter((edge) => isSelected(edge.urn, input, reader));
    const start = Math.max(0, numberIn(input, "start") ?? 0);
    const whole = areMemberships(types) ? all.length : 100;
    const count = Math.max(0, numberIn(input, "count") ?? whole);
    const relationships = all.slice(start, start + count).map(({ type, urn: other }) => ({
      type,
      direction,
      entity: findEntitySource(other) ?? null,
      created: null,
    }));
    return { start, count: relationships.length, total: all.length, relationships };
  },
};

type Direction = "INCOMING" | "OUTGOING";

function directionOf(input: unknown): Direction {
  return isJsonObject(input) && input["direction"] === "INCOMING" ? "INCOMING" : "OUTGOING";
}

function stringsIn(input: unknown, key: string): readonly string[] {
  return isJsonObject(input) ? stringsAt(input, key) : [];
}

function numberIn(input: unknown, key: string): number | null {
  return isJsonObject(input) ? numberAt(input, key) : null;
}

function isSelected(other: string, input: unknown, reader: AspectReader): boolean {
  const entityTypes = stringsIn(input, "relatedEntityTypes");
  if (entityTypes.length > 0 && !entityTypes.includes(entityTypeOfUrn(other)?.name ?? "")) return false;
  const all = !isJsonObject(input) || input["includeSoftDelete"] !== false;
  return all || reader.aspect(other, "status")?.["removed"] !== true;
}

function related(
  urn: string,
  direction: Direction,
  types: readonly string[],
  reader: AspectReader,
): readonly Relationship[] {
  if (direction === "INCOMING" && areMemberships(types)) return membersOf(urn, types, reader);
  return relatedTo(urn, direction, (type) => types.includes(type), reader);
}
