/** Defines a note: the fields that a plan adds to one change. */

import type { Change, FacetChange, NoteFields } from "../../model/change.ts";
import type { KnownEdges } from "../../model/membership.ts";
import type { Mode } from "../../model/settings.ts";
import type { Leaf, State } from "../../model/state.ts";
import type { ParentOf } from "../base/parents.ts";
import type { PastWrite, Policy } from "../base/policy.ts";

/** One note, computed from a single change (including fields from earlier notes) and the change's context. */
export interface Note<C extends Change = FacetChange, Context = ChangeContext> {
  readonly name: string;
  /** Returns the fields that the note adds; `undefined` if it adds none. */
  readonly of: (change: C, context: Context) => NoteFields | undefined;
}

/** The shared input for all notes of one comparison. */
export interface NotesContext {
  readonly policy: Policy;
  readonly states: NotedStates;
  readonly edges: KnownEdges;
  /** Earlier applies' writes that may be fights, by place and element. */
  readonly pastWrites: ReadonlyMap<string, readonly PastWrite[]>;
  readonly liveParentOf: ParentOf;
}

/** The compared states, and the declarations before them, with columns named as in live state. */
interface NotedStates {
  readonly desired: State;
  readonly live: State;
  /** The declarations for the entities that were read, before edges were moved to one end. */
  readonly declared: State;
  /** The earlier declarations; `undefined` if unknown. */
  readonly base: State | undefined;
  /** The last applied commit's declarations, if they differ from those in `base`. */
  readonly applied?: State | undefined;
  /** The last applied commit's declarations, if HEAD's history does not contain it. */
  readonly ahead?: State | undefined;
}

/** The value at a change's place in each state, and its mode. */
export interface ChangeContext {
  readonly plan: NotesContext;
  readonly mode: Mode;
  readonly desired: Leaf | undefined;
  readonly live: Leaf | undefined;
  readonly base: Leaf | undefined;
  readonly applied: Leaf | undefined;
  readonly ahead: Leaf | undefined;
}
