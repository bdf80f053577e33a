import { edgeSets, edgesOfMembers, facetsOf } from "../../facets/index.ts";
import type { Facet } from "../../facets/facet.ts";
import type { Person } from "../../facets/people.ts";
import { type Change, isFacetChange, isSetChange, type SetChange } from "../../model/change.ts";
import type { Entity, KindName } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { valueAfter } from "../diff/values.ts";
import { isRestoring } from "../order/links.ts";
import type { People } from "./subject.ts";

/** The facets that an entity does not store itself, but what is at the other end of an edge: its own aspects do not say them. */
const storedElsewhere: ReadonlySet<string> = new Set(
  edgeSets.flatMap(({ facet, inverse, storedByMembers }) => [inverse, ...(storedByMembers ? [facet] : [])]),
);

/** Of some facets those that an entity stores itself. */
export function ownFacets(kind: KindName, names: ReadonlySet<string>): readonly Facet[] {
  return facetsOf(kind).filter(({ name }) => names.has(name) && !storedElsewhere.has(name));
}

/** Facets as changes leave them. One that could not be read stays unknown. */
export function afterChanges(facets: Entity["facets"], changes: readonly Change[]): Entity["facets"] {
  const after = new Map(facets);
  for (const change of changes.filter(isFacetChange)) {
    const before = after.get(change.facet);
    if (before) after.set(change.facet, valueAfter(before, change));
  }
  return after;
}

const kindsOfPeople: ReadonlySet<KindName> = new Set(
  edgesOfMembers.flatMap(({ kind, inverseKinds }) => [kind, ...inverseKinds].map(({ name }) => name)),
);

/** The changes of users and groups. */
export function changesOfPeople(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ kind }) => kindsOfPeople.has(kind));
}

/** What happens to users and groups. */
export interface PeopleChanges {
  readonly changes: readonly Change[];
  /** Whether another shard of the plan creates or restores one that is missing. */
  readonly isComing: (urn: Urn) => boolean;
}

/**
 * Users and groups as a plan leaves them, of which `needed` are looked at: those that are created or restored are there, those that
 * are deleted are not, and users join and leave groups. The same people where nothing changes for these.
 */
export function peopleAfter(
  people: People,
  { changes, isComing }: PeopleChanges,
  needed: ReadonlySet<Urn>,
): People {
  const changed = new Map<Urn, Person>();
  for (const urn of needed) {
    const person = people.get(urn);
    if (person?.isMissing && isComing(urn)) changed.set(urn, { ...person, isActive: true });
  }
  for (const change of changes) {
    const members = isMembership(change) ? [...change.add, ...change.remove].filter(isUrn) : [];
    for (const urn of [change.urn, ...members].filter((each) => needed.has(each))) {
      const after = personAfter(changed.get(urn) ?? people.get(urn), change, urn);
      if (after) changed.set(urn, after);
    }
  }
  return changed.size === 0 ? people : new Map([...people, ...changed]);
}

function isMembership(change: Change): change is SetChange {
  return isSetChange(change) && edgesOfMembers.some(({ facet }) => facet === change.facet);
}

/** A user or group as a change leaves it; `undefined` where it stays as it is, or is not known. */
function personAfter(person: Person | undefined, change: Change, urn: Urn): Person | undefined {
  if (isMembership(change) && change.urn !== urn) {
    const others = person?.groups.filter((group) => group !== change.urn) ?? [];
    return person && { ...person, groups: change.add.includes(urn) ? [...others, change.urn] : others };
  }
  if (change.action === "create") return { groups: [], ...person, isActive: true };
  if (change.action === "delete") return person && { ...person, isActive: false };
  return isRestoring(change) && person?.isMissing ? { ...person, isActive: true } : undefined;
}
