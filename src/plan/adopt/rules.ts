import type { Modes } from "../../model/policy.ts";
import type { State } from "../../model/state.ts";
import type { Ignored } from "./ignore.ts";

/** Under which desired and live state are brought together. */
export interface Rules {
  readonly modes: Modes;
  readonly ignored: Ignored;
  /** What was declared before, with columns and members as in live state; `undefined` where nobody knows. */
  readonly base: State | undefined;
}
