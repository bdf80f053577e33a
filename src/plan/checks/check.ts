/** Defines the type of a check, which finds problems in a comparison. */

import type { Change } from "../../model/change.ts";
import type { UnmanagedValue } from "../../model/plan.ts";
import type { Problem } from "../../model/problem.ts";
import type { State } from "../../model/state.ts";
import type { DiffInput } from "../align/prepare-diff.ts";
import type { Catalog, Desired } from "../base/catalog.ts";
import type { Policy } from "../base/policy.ts";
import type { Part } from "../diff/part.ts";

/** A function that finds problems of one type in a comparison. */
export type Check = (context: CheckContext) => readonly Problem[];

/** The input that all checks of a comparison share. */
export interface CheckContext {
  readonly desired: Desired;
  readonly catalog: Catalog;
  readonly policy: Policy;
  readonly sides: DiffInput;
  /** The desired state, including the live values that are kept. */
  readonly adopted: State;
  /** The changes to values that are held back, in the full catalog, including those outside the selection. */
  readonly heldBack: readonly Change[];
  /** Unmanaged live values, which the plan does not change. */
  readonly staying: readonly UnmanagedValue[];
  /** The selected part of the plan. */
  readonly part: Part;
  readonly changes: readonly Change[];
  /** The selected changes that are not held back. */
  readonly pending: readonly Change[];
}
