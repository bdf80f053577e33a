/** Lists all guards, resolves their limits, and runs their checks. */

import { compareText } from "../../../model/json.ts";
import type { Finding, GuardCounts } from "../../../model/plan.ts";
import type { LimitsByGuard } from "../../../model/settings.ts";
import { deletes } from "./deletes.ts";
import type { Guard, CountedState, GuardInput } from "./guard.ts";
import { existingByFacet, removals } from "./removals.ts";
import { spread } from "./spread.ts";
import { vanished } from "./vanished.ts";

const list = [removals, deletes, vanished, spread] as const;

type Known = (typeof list)[number];

/** The limits of each guard. Percentages range from 0 to 100. */
export type Limits = {
  readonly [G in Known as G["name"]]: { readonly [L in keyof G["limits"]]: number };
};

/** All guards. To add a guard, create a file in this folder and add it to `list`. */
export const guards: readonly Guard[] = list;

/** The default limits. */
export const defaultLimits: Limits = limitsFrom({});

/** Limits that no plan exceeds. */
export const unlimited: Limits = limitsFrom(
  Object.fromEntries(
    guards.map(({ name, limits }) => [
      name,
      Object.fromEntries(
        Object.entries(limits).map(([limit, { unit }]) => [
          limit,
          unit === "percent" ? 100 : Number.MAX_SAFE_INTEGER,
        ]),
      ),
    ]),
  ),
);

/** Fills in the default for each limit that is not given. */
export function limitsFrom(given: {
  readonly [name: string]: Readonly<Record<string, number>> | undefined;
}): Limits {
  const limits = guards.map(({ name, limits: own }) => {
    const defaults = Object.entries(own).map(([limit, { default: value }]) => [limit, value]);
    return [name, { ...Object.fromEntries(defaults), ...given[name] }];
  });
  // The cast is safe because the type is derived from the same list.
  return Object.fromEntries(limits) as Limits;
}

/**
 * Returns the limits that differ from the defaults, keyed by guard. Guards without such limits are omitted. A plan contains only
 * these limits.
 */
export function withoutDefaults(limits: LimitsByGuard): LimitsByGuard {
  const defaults: LimitsByGuard = defaultLimits;
  const differing = Object.entries(limits).flatMap(([guard, own]) => {
    const set = Object.entries(own).filter(([limit, value]) => value !== defaults[guard]?.[limit]);
    return set.length > 0 ? [[guard, Object.fromEntries(set)] as const] : [];
  });
  return Object.fromEntries(differing);
}

/** Returns the lower of two values for each limit. */
export function strictest(a: Limits, b: Limits): Limits {
  const others: LimitsByGuard = b;
  const limits = Object.entries(a).map(([guard, own]) => {
    const lower = Object.entries(own).map(([limit, value]) => {
      return [limit, Math.min(value, others[guard]?.[limit] ?? value)] as const;
    });
    return [guard, Object.fromEntries(lower)] as const;
  });
  return limitsFrom(Object.fromEntries(limits));
}

/** Counts everything that the guards need to check a plan now, and to recheck it later. */
export function countsOf(guarded: CountedState): GuardCounts {
  const existing = existingByFacet(guarded);
  const { vanished: found } = guarded;
  return {
    ...(Object.keys(existing).length > 0 && { existing }),
    ...(found &&
      found.urns.length > 0 && { vanished: { urns: found.urns.toSorted(compareText), of: found.of } }),
  };
}

/** Returns the findings of all guards. Each finding blocks the plan. Stricter limits never produce fewer findings. */
export function guardFindings(judged: GuardInput, given: LimitsByGuard): readonly Finding[] {
  const limits: LimitsByGuard = limitsFrom(given);
  return guards.flatMap((guard) => guard.check(judged, limits[guard.name] ?? {}));
}

/** Whether a finding was produced by a guard. `missing` findings do not come from a guard. */
export function isOfGuard({ guard }: Finding): boolean {
  return guards.some(({ name }) => name === guard);
}

/** Whether a guard blocks a plan. */
export function isBlocked({ findings }: { readonly findings: readonly Finding[] }): boolean {
  return findings.some((finding) => finding.severity === "error" && isOfGuard(finding));
}

/** Returns the message of a guard's finding. `undefined` for other findings. */
export function guardText(finding: Finding): string | undefined {
  return guards.find(({ name }) => name === finding.guard)?.text(finding);
}
