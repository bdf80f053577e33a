import type { AspectReader } from "../../store/aspect-reader.ts";
import { stringsAt } from "../../json.ts";
import { membershipAspects } from "../membership.ts";
import type { Relationship } from "../../store/relationships.ts";

const memberships = Object.entries(membershipAspects);

/** Whether all of these relationships are memberships, which DataHub also treats separately. */
export function areMemberships(types: readonly string[]): boolean {
  return types.length > 0 && types.every((type) => type in membershipAspects);
}

/** The members of a group, by relationships from users to groups. Reads the membership aspects only. */
export function membersOf(
  group: string,
  types: readonly string[],
  reader: AspectReader,
): readonly Relationship[] {
  return memberships
    .filter(([type]) => types.includes(type))
    .flatMap(([type, [aspect, field]]) =>
      [...reader.aspectUnder("urn:li:corpuser:", aspect)].flatMap(([user, value]) =>
        stringsAt(value, field).includes(group) ? [{ type, urn: user }] : [],
      ),
    );
}
