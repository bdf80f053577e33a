/** Converts a plan's changes to edits that make manifests declare the live values. */

import { edgeSetOf } from "../../facets/index.ts";
import type { Edit, NewValue } from "../../manifests/edit/edit.ts";
import { type FacetChange, isSetChange } from "../../model/change.ts";
import { type Place, placeKey } from "../../model/place.ts";
import type { Member, State } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";

/** An edit to a manifest, and the changes that it makes unnecessary. */
export interface PulledEdit extends Edit {
  readonly changes: readonly FacetChange[];
}

/** Returns edits for changes, one for each field. Edits both ends of an edge. */
export function editsForChanges(
  changes: readonly FacetChange[],
  created: ReadonlyMap<Urn, unknown>,
  live: State,
): readonly PulledEdit[] {
  const edits = new Map<string, PulledEdit>();
  for (const each of changes.flatMap((change) => editsFor(change, created))) {
    const key = `${each.urn}\0${placeKey(each)}`;
    const before = edits.get(key);
    const found = live.get(each.urn)?.facets.get(each.facet);
    edits.set(key, before ? merged(before, each) : { ...each, ...(found && { live: found }) });
  }
  return [...edits.values()];
}

function editsFor(change: FacetChange, created: ReadonlyMap<Urn, unknown>): readonly PulledEdit[] {
  const { urn, facet, path } = change;
  const edit = (of: Urn, place: Place, value: NewValue): PulledEdit => ({
    urn: of,
    ...place,
    value,
    changes: [change],
  });
  const place = { facet, ...(path && { path }) };
  if (!isSetChange(change)) return [edit(urn, place, { type: "scalar", value: change.before })];
  const inverse = edgeSetOf(facet)?.inverse;
  if (inverse === undefined) return [edit(urn, place, elements(change.remove, change.add))];
  const left = change.add.filter((member) => !isUrn(member) || !created.has(member));
  const joined = change.remove;
  if (joined.length + left.length === 0) return [];
  const ofMembers = (members: readonly Member[], value: NewValue): readonly PulledEdit[] =>
    members.filter(isUrn).map((member) => edit(member, { facet: inverse }, value));
  return [
    edit(urn, place, elements(joined, left)),
    ...ofMembers(joined, elements([urn], [])),
    ...ofMembers(left, elements([], [urn])),
  ];
}

function elements(add: readonly Member[], remove: readonly Member[]): NewValue {
  return { type: "elements", add, remove };
}

function merged(a: PulledEdit, b: PulledEdit): PulledEdit {
  if (a.value.type !== "elements" || b.value.type !== "elements") return b;
  const value = elements([...a.value.add, ...b.value.add], [...a.value.remove, ...b.value.remove]);
  return { ...a, changes: [...a.changes, ...b.changes], value };
}
