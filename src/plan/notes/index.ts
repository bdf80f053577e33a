/** Lists the notes, and turns differences into changes by adding them. */

import type { Change, FacetChange, NoteFields } from "../../model/change.ts";
import { leafIn } from "../../model/place.ts";
import type { State } from "../../model/state.ts";
import type { DiffInput } from "../align/prepare-diff.ts";
import type { Catalog } from "../base/catalog.ts";
import { modeOf } from "../base/modes.ts";
import { parentsIn } from "../base/parents.ts";
import type { Policy } from "../base/policy.ts";
import type { Difference } from "../diff/diff.ts";
import { cause } from "./cause.ts";
import { fights, pastWritesIn } from "./fights.ts";
import { fingerprint } from "./fingerprint.ts";
import { above, completeMoves, ignoredMove } from "./moves.ts";
import type { ChangeContext, Note, NotesContext } from "./note.ts";
import { conflict, pruned, removed, reverts } from "./provenance.ts";

/** The notes of a difference, in the order of their fields in a plan. A later note may look at an earlier one. */
export const notes: readonly Note[] = [
  cause,
  pruned,
  removed,
  reverts,
  fingerprint,
  conflict,
  ignoredMove,
  fights,
  above,
];

/** The context of the notes of one comparison. `declared` are the declarations before both sides were prepared. */
export function notesContext(
  sides: DiffInput,
  declared: State,
  { live, edges }: Catalog,
  policy: Policy,
): NotesContext {
  const { readUrns, above: entitiesAbove = new Map() } = live;
  return {
    policy,
    states: {
      ...sides,
      applied: sides.applied ?? sides.base,
      declared: readUrns ? new Map([...declared].filter(([urn]) => readUrns.has(urn))) : declared,
    },
    edges,
    pastWrites: pastWritesIn(policy.fights),
    liveParentOf: parentsIn(sides.live, entitiesAbove),
  };
}

/** The changes of differences, with their notes. Moves are completed at the end, because both ends need the notes of the other. */
export function changesOf(differences: readonly Difference[], context: NotesContext): readonly FacetChange[] {
  // The note `fingerprint` adds the only required field that a difference does not have.
  const of = (each: Difference): FacetChange =>
    withNotes(each as FacetChange, notes, contextAt(each, context));
  return completeMoves(differences.map(of));
}

/** The value at a place of a plan, in each state. */
export function contextAt(at: Difference, plan: NotesContext): ChangeContext {
  const { desired, live, base, applied, ahead } = plan.states;
  const { urn, facet } = at;
  const entity = desired.get(urn);
  const declared = leafIn(entity, at);
  return {
    plan,
    mode: modeOf(entity ?? {}, facet, plan.policy.modes, declared),
    desired: declared,
    live: leafIn(live.get(urn), at),
    base: leafIn(base?.get(urn), at),
    applied: leafIn(applied?.get(urn), at),
    ahead: leafIn(ahead?.get(urn), at),
  };
}

/** A change with all notes of a list. Without any note it is the same object. */
export function withNotes<C extends Change, Context>(
  change: C,
  list: readonly Note<C, Context>[],
  context: Context,
): C {
  return list.reduce((noted, { of }) => joined(noted, of(noted, context)), change);
}

// A spread of two objects takes a third of the memory that `Object.assign` takes, because it leaves no spare capacity.
function joined<C extends Change>(change: C, fields: NoteFields | undefined): C {
  return fields ? { ...change, ...fields } : change;
}
