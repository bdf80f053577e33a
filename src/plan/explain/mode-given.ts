import { memberships } from "../../facets/index.ts";
import type { DeclaredBy, ModeGiven } from "../../model/explanation.ts";
import type { Mode, Modes } from "../../model/settings.ts";
import type { Entity, Leaf } from "../../model/state.ts";
import { modeOf } from "../adopt/modes.ts";

/** A document or rule that gives a facet a mode. */
export interface ModePlace extends DeclaredBy {
  readonly facet: string;
  readonly mode: Mode;
}

/** The mode of a facet, or of one column's, and where it comes from. */
export function modeGiven(
  facet: string,
  value: Leaf,
  {
    desired,
    modes,
    modePlaces,
  }: { readonly desired: Entity; readonly modes: Modes; readonly modePlaces: readonly ModePlace[] },
): ModeGiven {
  const mode = modeOf(desired, facet, modes, value);
  if (value.mode !== undefined || desired.manage?.[facet] !== undefined) {
    const place = modePlaces.find((each) => each.facet === facet && each.mode === mode);
    const { rule, source } = place ?? {};
    return { mode, from: "manifest", ...(rule !== undefined && { rule }), ...(source && { source }) };
  }
  const isSet = modes[facet] !== undefined || (facet === memberships.inverse && modes[memberships.facet]);
  return { mode, from: isSet ? "settings" : "default" };
}
