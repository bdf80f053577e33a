/** Defines a note: the fields that a plan adds to one change. */

import type { Change, FacetChange, NoteFields } from "../../model/change.ts";
import type { KnownEdges } from "../../model/membership.ts";
import type { Mode } from "../../model/settings.ts";
import type { Leaf, State } from "../../model/state.ts";
import type { ParentOf } from "../base/parents.ts";
import type { PastWrite, Policy } from "../base/policy.ts";

/** One note. It looks at a single change, which has the fields of the earlier notes, and at the context of that change. */
export interface Note<C extends Change = FacetChange, Context = ChangeContext> {
  readonly name: string;
  /** The fields that the note adds; `undefined` if it adds none. */
  readonly of: (change: C, context: Context) => NoteFields | undefined;
}

/** Everything that the notes of one comparison look at, made once. */
export interface NotesContext {
  readonly policy: Policy;
  readonly states: NotedStates;
  readonly edges: KnownEdges;
  /** The writes of earlier applies that may be fights, by place and element. */
  readonly pastWrites: ReadonlyMap<string, readonly PastWrite[]>;
  readonly liveParentOf: ParentOf;
}

/** The states that differences were computed from, and the declarations before them, with columns named as in live state. */
interface NotedStates {
  readonly desired: State;
  readonly live: State;
  /** The declarations of the entities that were read, before edges were moved to one end. */
  readonly declared: State;
  /** The earlier declarations; `undefined` if unknown. */
  readonly base: State | undefined;
  /** The declarations of the last applied commit, if they are not those of `base`. */
  readonly applied?: State | undefined;
  /** The declarations of the last applied commit, if HEAD's history does not contain it. */
  readonly ahead?: State | undefined;
}

/** The value at the place of a change in each state, and its mode. */
export interface ChangeContext {
  readonly plan: NotesContext;
  readonly mode: Mode;
  readonly desired: Leaf | undefined;
  readonly live: Leaf | undefined;
  readonly base: Leaf | undefined;
  readonly applied: Leaf | undefined;
  readonly ahead: Leaf | undefined;
}
