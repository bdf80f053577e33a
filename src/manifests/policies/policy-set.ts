/** Checks policies and waivers for duplicate ids, unknown policies and invalid expiry dates, and reports unused waivers. */

import {
  type CatalogPolicy,
  type Policies,
  type Waiver,
  defaultMaxDays,
} from "../../model/catalog-policy.ts";
import type { Problem } from "../../model/problem.ts";
import { dateText } from "../../model/text/date-text.ts";
import { nearestSpelling } from "../../model/text/suggestion.ts";
import { errorAt, warningAt } from "../base/problem.ts";

/** Returns one policy for each id. A second policy with the same id is left out and reported as a problem. */
export function policiesOf(written: readonly CatalogPolicy[]): {
  readonly policies: readonly CatalogPolicy[];
  readonly problems: readonly Problem[];
} {
  const policies = new Map<string, CatalogPolicy>();
  const problems: Problem[] = [];
  for (const policy of written) {
    const { id, origin } = policy;
    const first = policies.get(id);
    if (first) problems.push(errorAt(origin, "duplicate-policy", { policy: id }, first.origin));
    else policies.set(id, policy);
  }
  return { policies: [...policies.values()], problems };
}

/** Reports waivers for unknown policies. */
export function unknownPolicies({ policies, waivers }: Policies): readonly Problem[] {
  const known = new Set(policies.map(({ id }) => id));
  return waivers
    .filter(({ policy }) => !known.has(policy))
    .map(({ policy, origin, places }) =>
      errorAt(places?.policy ?? origin, "unknown-policy", {
        policy,
        suggestion: nearestSpelling(policy, known),
      }),
    );
}

/** Returns the UTC date of an ISO 8601 timestamp, such as `2027-01-31`. */
export function dayOf(instant: string): string {
  return instant.slice(0, "2027-01-31".length);
}

/** A waiver that expires within this number of days causes a warning. */
const warnedDays = 14;

const millisecondsOfDay = 86_400_000;

/** Reports waivers that expire too late, expire soon, or have expired. `day` is the current date in UTC, such as `2027-01-31`. */
export function expiryProblems(
  waivers: readonly Waiver[],
  day: string,
  maxDays = defaultMaxDays,
): readonly Problem[] {
  return waivers.flatMap(({ policy, expires, places, origin: start }): readonly Problem[] => {
    const origin = places?.expires ?? start;
    const days = (Date.parse(expires) - Date.parse(day)) / millisecondsOfDay;
    if (days > maxDays) {
      const latest = dateText(Date.parse(day) + maxDays * millisecondsOfDay);
      return [errorAt(origin, "waiver-too-long", { policy, expires, days: maxDays, latest })];
    }
    if (days < 0) return [warningAt(origin, "waiver-expired", { policy, expires })];
    return days <= warnedDays ? [warningAt(origin, "waiver-expires", { policy, expires, days })] : [];
  });
}

/** Reports waivers that do not waive any violations. */
export function unusedWaivers(waivers: readonly Waiver[]): readonly Problem[] {
  return waivers.map(({ policy, origin }) => warningAt(origin, "waiver-unused", { policy }));
}
