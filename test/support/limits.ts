import fc from "fast-check";
import { guards, type Limits } from "../../src/plan/checks/guards/index.ts";

/** A value for each limit of each guard, by its unit. */
function limitsBy<Value>(
  valueOf: (unit: "percent" | "count") => Value,
): Readonly<Record<string, Readonly<Record<string, Value>>>> {
  const limits = guards.map(({ name, limits: own }) => {
    const values = Object.entries(own).map(([limit, { unit }]) => [limit, valueOf(unit)] as const);
    return [name, Object.fromEntries(values)] as const;
  });
  return Object.fromEntries(limits);
}

// The limits of a guard are known by name to its own tests alone: the type is derived from the same list.
/** Limits that nothing goes beyond. */
export const widest = limitsBy((unit) => (unit === "percent" ? 100 : 1_000_000)) as Limits;

const percent = fc.integer({ min: 0, max: 100 });
const count = fc.integer({ min: 0, max: 12 });

/** Limits that small plans may go beyond. */
export const limits = fc.record(
  Object.fromEntries(
    Object.entries(limitsBy((unit) => (unit === "percent" ? percent : count))).map(([guard, own]) => [
      guard,
      fc.record(own),
    ]),
  ),
) as unknown as fc.Arbitrary<Limits>;
