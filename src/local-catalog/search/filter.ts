/** Determines whether filters match an entity's values, and compares values for filters and sorting. */

import { compareText } from "../../model/json.ts";
import type { AspectReader } from "../store/aspect-reader.ts";
import { isWithin } from "../store/tree.ts";

/** A filter on one field, as in GraphQL's FacetFilterInput. */
export interface FacetFilter {
  readonly field: string;
  readonly values?: readonly string[] | null;
  readonly negated?: boolean | null;
  readonly condition?: FilterOperator | null;
}

/** Filters that must all match, as in GraphQL's AndFilterInput. */
export interface AndFilter {
  readonly and?: readonly FacetFilter[] | null;
}

type Comparison = (actual: string, wanted: string, reader: AspectReader) => boolean;

const comparisons = {
  EQUAL: (actual, wanted) => actual === wanted,
  IN: (actual, wanted) => actual === wanted,
  IEQUAL: (actual, wanted) => actual.toLowerCase() === wanted.toLowerCase(),
  CONTAIN: (actual, wanted) => actual.toLowerCase().includes(wanted.toLowerCase()),
  START_WITH: (actual, wanted) => actual.toLowerCase().startsWith(wanted.toLowerCase()),
  END_WITH: (actual, wanted) => actual.toLowerCase().endsWith(wanted.toLowerCase()),
  GREATER_THAN: (actual, wanted) => compareValues(actual, wanted) > 0,
  GREATER_THAN_OR_EQUAL_TO: (actual, wanted) => compareValues(actual, wanted) >= 0,
  LESS_THAN: (actual, wanted) => compareValues(actual, wanted) < 0,
  LESS_THAN_OR_EQUAL_TO: (actual, wanted) => compareValues(actual, wanted) <= 0,
  DESCENDANTS_INCL: isWithin,
  ANCESTORS_INCL: (actual, wanted, reader) => isWithin(wanted, actual, reader),
  RELATED_INCL: (actual, wanted, reader) =>
    isWithin(actual, wanted, reader) || isWithin(wanted, actual, reader),
} satisfies Record<string, Comparison>;

/** The comparison that a filter uses, as in GraphQL's FilterOperator. */
type FilterOperator = keyof typeof comparisons | "EXISTS";

/** Whether a name is a filter operator. */
export function isFilterOperator(name: string): name is FilterOperator {
  return name === "EXISTS" || Object.hasOwn(comparisons, name);
}

/** Whether a filter matches an entity whose field has the given values. */
export function matchesFilter(filter: FacetFilter, actual: readonly string[], reader: AspectReader): boolean {
  const operator = filter.condition ?? "EQUAL";
  const matches =
    operator === "EXISTS"
      ? actual.length > 0
      : (filter.values ?? []).some((wanted) =>
          actual.some((value) => comparisons[operator](value, wanted, reader)),
        );
  return matches !== (filter.negated === true);
}

/** Compares two values as numbers if both are numbers, or as strings otherwise. */
export function compareValues(a: string, b: string): number {
  const [first, second] = [Number(a), Number(b)];
  return a !== "" && b !== "" && !Number.isNaN(first - second) ? first - second : compareText(a, b);
}
