/** Lists the notes, and adds them to differences to create changes. */

import type { Change, FacetChange, NoteFields } from "../../model/change.ts";
import { leafIn } from "../../model/place.ts";
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

/** All notes, in the order of their fields in a plan. A note may use fields that earlier notes added. */
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

/** Builds the context that all notes of a comparison share. */
export function notesContext(sides: DiffInput, { live, edges }: Catalog, policy: Policy): NotesContext {
  const { readUrns, above: entitiesAbove = new Map() } = live;
  const { compared } = sides;
  return {
    policy,
    states: {
      ...sides,
      declared: readUrns ? new Map([...compared].filter(([urn]) => readUrns.has(urn))) : compared,
    },
    edges,
    pastWrites: pastWritesIn(policy.fights),
    liveParentOf: parentsIn(sides.live, entitiesAbove),
  };
}

/**
 * Turns differences into changes with notes. Moves are completed last, because each end of a move needs the notes of the other
 * end.
 */
export function changesOf(differences: readonly Difference[], context: NotesContext): readonly FacetChange[] {
  // The `fingerprint` note adds the only required field that is missing from a difference.
  const of = (each: Difference): FacetChange =>
    withNotes(each as FacetChange, notes, contextAt(each, context));
  return completeMoves(differences.map(of));
}

/** Returns the value at a change's place in each state. */
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

/** Adds the given notes to a change. Returns the same object if no note adds a field. */
export function withNotes<C extends Change, Context>(
  change: C,
  list: readonly Note<C, Context>[],
  context: Context,
): C {
  return list.reduce((noted, { of }) => joined(noted, of(noted, context)), change);
}

// Spreading two objects uses a third of the memory that `Object.assign` uses, because the result has no spare capacity.
function joined<C extends Change>(change: C, fields: NoteFields | undefined): C {
  return fields ? { ...change, ...fields } : change;
}
