/** Lists the notes, and turns differences into changes by adding notes to them. */

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

/** All notes, in the order of their fields in a plan. A later note may use an earlier one's fields. */
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

/** Builds the shared context for a comparison's notes. `declared` are the declarations before the states were prepared. */
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

/** Turns differences into changes with notes. Completes moves at the end, because each end needs the other's notes. */
export function changesOf(differences: readonly Difference[], context: NotesContext): readonly FacetChange[] {
  // The note `fingerprint` adds the only required field that a difference lacks.
  const of = (each: Difference): FacetChange =>
    withNotes(each as FacetChange, notes, contextAt(each, context));
  return completeMoves(differences.map(of));
}

/** Returns each state's value at a plan's place. */
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

/** Adds all notes in a list to a change. Returns the same object if there are none. */
export function withNotes<C extends Change, Context>(
  change: C,
  list: readonly Note<C, Context>[],
  context: Context,
): C {
  return list.reduce((noted, { of }) => joined(noted, of(noted, context)), change);
}

// Spreading two objects takes a third of the memory that `Object.assign` takes, because it leaves no spare capacity.
function joined<C extends Change>(change: C, fields: NoteFields | undefined): C {
  return fields ? { ...change, ...fields } : change;
}
