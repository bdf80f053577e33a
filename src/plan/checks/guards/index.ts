/** Lists the guards, resolves their limits, and runs them. */

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

/** Each guard's limits. Percentages go from 0 to 100. */
export type Limits = {
  readonly [G in Known as G["name"]]: { readonly [L in keyof G["limits"]]: number };
};

/** Every guard. A new one is a file in this folder and a name in this list. */
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

/** Completes the given limits with the defaults. */
export function limitsFrom(given: {
  readonly [name: string]: Readonly<Record<string, number>> | undefined;
}): Limits {
  const limits = guards.map(({ name, limits: own }) => {
    const defaults = Object.entries(own).map(([limit, { default: value }]) => [limit, value]);
    return [name, { ...Object.fromEntries(defaults), ...given[name] }];
  });
  // The type is derived from the same list, so the entries match it.
  return Object.fromEntries(limits) as Limits;
}

/** Returns the limits that differ from the defaults, by guard, without empty entries. A plan contains only these. */
export function withoutDefaults(limits: LimitsByGuard): LimitsByGuard {
  const defaults: LimitsByGuard = defaultLimits;
  const differing = Object.entries(limits).flatMap(([guard, own]) => {
    const set = Object.entries(own).filter(([limit, value]) => value !== defaults[guard]?.[limit]);
    return set.length > 0 ? [[guard, Object.fromEntries(set)] as const] : [];
  });
  return Object.fromEntries(differing);
}

/** Returns the lower value for each limit. */
export function strictest(a: Limits, b: Limits): Limits {
  const others: Readonly<Record<string, Readonly<Record<string, number>>>> = b;
  const limits = Object.entries(a).map(([guard, own]) => {
    const lower = Object.entries(own).map(([limit, value]) => {
      return [limit, Math.min(value, others[guard]?.[limit] ?? value)] as const;
    });
    return [guard, Object.fromEntries(lower)] as const;
  });
  return limitsFrom(Object.fromEntries(limits));
}

/** Counts everything that the guards need to check a plan, now or later. */
export function countsOf(guarded: CountedState): GuardCounts {
  const existing = existingByFacet(guarded);
  const { vanished: found } = guarded;
  return {
    ...(Object.keys(existing).length > 0 && { existing }),
    ...(found &&
      found.urns.length > 0 && { vanished: { urns: found.urns.toSorted(compareText), of: found.of } }),
  };
}

/** Returns all guards' findings. Each one blocks the plan. Stricter limits never find less. */
export function guardFindings(judged: GuardInput, given: LimitsByGuard): readonly Finding[] {
  const limits: LimitsByGuard = limitsFrom(given);
  return guards.flatMap((guard) => guard.check(judged, limits[guard.name] ?? {}));
}

/** Whether a finding comes from a guard. Findings named `missing` do not. */
export function isOfGuard({ guard }: Finding): boolean {
  return guards.some(({ name }) => name === guard);
}

/** Whether a guard blocks a plan. */
export function isBlocked({ findings }: { readonly findings: readonly Finding[] }): boolean {
  return findings.some((finding) => finding.severity === "error" && isOfGuard(finding));
}

/** Returns a guard finding's text; `undefined` for other findings. */
export function guardText(finding: Finding): string | undefined {
  return guards.find(({ name }) => name === finding.guard)?.text(finding);
}
