/** Defines the type of a note, which adds fields to a change in a plan. */

import type { Change, FacetChange, NoteFields } from "../../model/change.ts";
import type { KnownEdges } from "../../model/membership.ts";
import type { Mode } from "../../model/settings.ts";
import type { Leaf, State } from "../../model/state.ts";
import type { ParentOf } from "../base/parents.ts";
import type { PastWrite, Policy } from "../base/policy.ts";

/** A note, computed from a single change (including fields that earlier notes added) and its context. */
export interface Note<C extends Change = FacetChange, Context = ChangeContext> {
  readonly name: string;
  /** Returns the fields that the note adds, or `undefined` if it adds none. */
  readonly of: (change: C, context: Context) => NoteFields | undefined;
}

/** The input that all notes of a comparison share. */
export interface NotesContext {
  readonly policy: Policy;
  readonly states: NotedStates;
  readonly edges: KnownEdges;
  /** Writes by earlier apply runs that may be part of a fight, keyed by place and element. */
  readonly pastWrites: ReadonlyMap<string, readonly PastWrite[]>;
  readonly liveParentOf: ParentOf;
}

/**
 * The compared states, and the declarations from which they were prepared. All of them use the column names in the live state.
 */
interface NotedStates {
  readonly desired: State;
  readonly live: State;
  /** The declarations of the entities that were read, before memberships declared on members are moved to their groups. */
  readonly declared: State;
  /** The earlier declarations. `undefined` if unknown. */
  readonly base: State | undefined;
  /** The declarations at the last applied commit, which may equal `base`. `undefined` if unknown. */
  readonly applied?: State | undefined;
  /** The declarations at the last applied commit, if HEAD's history does not contain that commit. */
  readonly ahead?: State | undefined;
}

/** The value at a change's place in each state, and the mode that applies to the change. */
export interface ChangeContext {
  readonly plan: NotesContext;
  readonly mode: Mode;
  readonly desired: Leaf | undefined;
  readonly live: Leaf | undefined;
  readonly base: Leaf | undefined;
  readonly applied: Leaf | undefined;
  readonly ahead: Leaf | undefined;
}
