import type { FacetChange } from "../../src/model/change.ts";
import { noEdges } from "../../src/model/membership.ts";
import type { State } from "../../src/model/state.ts";
import { defaultPolicy, type FightRules, type Policy } from "../../src/plan/base/policy.ts";
import type { Difference } from "../../src/plan/diff/diff.ts";
import { changesOf } from "../../src/plan/notes/index.ts";
import { fightsIn, pastWritesIn } from "../../src/plan/notes/fights.ts";
import { completeMoves } from "../../src/plan/notes/moves.ts";
import type { NotesContext } from "../../src/plan/notes/note.ts";

interface States {
  readonly desired: State;
  readonly live: State;
  readonly declared?: State;
}

/** What the notes of a comparison look at, by default without settings, history and trees. */
export function notesContext(
  { desired, live, declared = desired }: States,
  { base, applied, ahead, ...policy }: Partial<Policy> = {},
): NotesContext {
  return {
    policy: { ...defaultPolicy, ...policy },
    states: { desired, live, declared, base, applied, ahead },
    edges: noEdges,
    pastWrites: new Map(),
    liveParentOf: () => undefined,
  };
}

/** The changes of differences, with all notes. */
export function noted(
  differences: readonly Difference[],
  states: States,
  policy?: Partial<Policy>,
): readonly FacetChange[] {
  return changesOf(differences, notesContext(states, policy));
}

/** The changes, with what fights hold back and both ends of each move. */
export function fought<C extends FacetChange>(changes: readonly C[], rules: FightRules): readonly C[] {
  const past = pastWritesIn(rules);
  return completeMoves(
    changes.map((change) => {
      const fights = fightsIn(change, rules, past);
      return fights.length > 0 ? { ...change, fights } : change;
    }),
  );
}
