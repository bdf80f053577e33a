/** Computes the state of facets, users and groups after a plan, and determines which users and groups the plan may affect. */

import { edgeSets, edgesOfMembers, facetsOf } from "../../facets/index.ts";
import type { Facet } from "../../facets/facet.ts";
import type { Person } from "../../facets/people.ts";
import { type Change, isFacetChange, isSetChange, type SetChange } from "../../model/change.ts";
import type { Entity, KindName } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { facetsAfter } from "../base/values.ts";
import type { People } from "./subject.ts";
import { isRestoring } from "../base/changes.ts";

/** The facets whose values are stored at the other end of an edge rather than in the entity's own aspects. */
const storedElsewhere: ReadonlySet<string> = new Set(
  edgeSets.flatMap(({ facet, inverse, storedByMembers }) => [inverse, ...(storedByMembers ? [facet] : [])]),
);

/** Splits the named facets of a kind into those stored in the entity itself and those stored at the other ends of its edges. */
export function facetsByStore(
  kind: KindName,
  names: ReadonlySet<string>,
): Readonly<Record<"own" | "elsewhere", readonly Facet[]>> {
  const named = facetsOf(kind).filter(({ name }) => names.has(name));
  return {
    own: named.filter(({ name }) => !storedElsewhere.has(name)),
    elsewhere: named.filter(({ name }) => storedElsewhere.has(name)),
  };
}

/** Returns an entity's facets after the changes. A facet that could not be read remains unknown. */
export function afterChanges(facets: Entity["facets"], changes: readonly Change[]): Entity["facets"] {
  return facetsAfter(
    facets,
    changes.filter(isFacetChange).filter(({ facet }) => facets.has(facet)),
  );
}

const kindsOfPeople: ReadonlySet<KindName> = new Set(
  edgesOfMembers.flatMap(({ kind, inverseKinds }) => [kind, ...inverseKinds].map(({ name }) => name)),
);

/** Returns the changes to users and groups. */
export function changesOfPeople(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ kind }) => kindsOfPeople.has(kind));
}

/**
 * The changes that may affect whether users and groups are active, and the changes that may affect which groups users are in.
 * Both maps are keyed by URN.
 */
export interface TouchedPeople {
  readonly activity: ReadonlyMap<Urn, Change>;
  readonly groups: ReadonlyMap<Urn, Change>;
}

/** Returns the users and groups that the changes may affect. */
export function touchedPeople(changes: readonly Change[]): TouchedPeople {
  const [activity, groups] = [new Map<Urn, Change>(), new Map<Urn, Change>()];
  for (const change of changesOfPeople(changes)) {
    if (isMembership(change))
      for (const member of [...change.add, ...change.remove]) if (isUrn(member)) groups.set(member, change);
    // A deleted group no longer has any members.
    if (change.action === "delete" && !isFacetChange(change))
      for (const urn of change.assignedTo ?? []) groups.set(urn, change);
    if (change.action !== "update" || isRestoring(change)) activity.set(change.urn, change);
  }
  return { activity, groups };
}

/**
 * Returns users and groups after a plan, and updates only those in `needed`. Created and restored users and groups become active.
 * Deleted users and groups become inactive. Memberships are also updated. Returns the same object if nothing changes.
 */
export function peopleAfter(people: People, changes: readonly Change[], needed: ReadonlySet<Urn>): People {
  const changed = new Map<Urn, Person>();
  for (const change of changes) {
    const members = isMembership(change) ? [...change.add, ...change.remove].filter(isUrn) : [];
    for (const urn of [change.urn, ...members].filter((each) => needed.has(each))) {
      const after = personAfter(changed.get(urn) ?? people.get(urn), change, urn);
      if (after) changed.set(urn, after);
    }
  }
  const deleted = new Set(changes.filter(({ action }) => action === "delete").map(({ urn }) => urn));
  for (const urn of deleted.size > 0 ? needed : []) {
    const person = changed.get(urn) ?? people.get(urn);
    if (!person?.groups.some((group) => deleted.has(group))) continue;
    changed.set(urn, { ...person, groups: person.groups.filter((group) => !deleted.has(group)) });
  }
  return changed.size === 0 ? people : new Map([...people, ...changed]);
}

function isMembership(change: Change): change is SetChange {
  return isSetChange(change) && edgesOfMembers.some(({ facet }) => facet === change.facet);
}

/** Returns a user or group after a change. `undefined` if the user or group is unknown or does not change. */
function personAfter(person: Person | undefined, change: Change, urn: Urn): Person | undefined {
  if (isMembership(change) && change.urn !== urn) {
    const others = person?.groups.filter((group) => group !== change.urn) ?? [];
    return person && { ...person, groups: change.add.includes(urn) ? [...others, change.urn] : others };
  }
  if (change.action === "create") return { groups: [], ...person, isActive: true };
  if (change.action === "delete") return person && { ...person, isActive: false };
  return isRestoring(change) && person?.isMissing ? { ...person, isActive: true } : undefined;
}
