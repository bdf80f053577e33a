/** Draws the faults of each request. */

import { draw } from "../draw.ts";
import type { FaultReport } from "./report.ts";
import { isAmong, type RootField, type SeenRequest } from "./request.ts";
import type { Fault, FaultSettings } from "./settings.ts";

/** A fault that was drawn for a request. */
export interface Drawn<Of extends Fault = Fault> {
  readonly fault: Of;
  readonly request: SeenRequest;
  /** A number from 0 to less than 1, to choose a part of the request. */
  readonly choice: number;
  /** Counts the request for this fault, at most once. */
  readonly inject: () => void;
}

/** A drawn fault of one of these names. */
export type DrawnOf<Name extends Fault["fault"]> = Drawn<Fault & { readonly fault: Name }>;

/** The faults of the request with this number, in the order of the settings. They depend only on the arguments. */
export function drawnFor(
  number: number,
  request: SeenRequest,
  { seed = 1, faults = [] }: FaultSettings,
  report: FaultReport,
): readonly Drawn[] {
  return faults.flatMap((fault, index): readonly Drawn[] => {
    if (!isAmong(fault.only, request) || draw(seed, number, index) >= fault.rate) return [];
    const count = report.faults[index];
    let isCounted = false;
    const inject = (): void => {
      if (count && !isCounted) count.injected += 1;
      isCounted = true;
    };
    return [{ fault, request, choice: draw(seed, number, index, "choice"), inject }];
  });
}

/** The drawn faults with one name. */
export function named<Name extends Fault["fault"]>(
  drawn: readonly Drawn[],
  name: Name,
): readonly DrawnOf<Name>[] {
  return drawn.filter((each): each is DrawnOf<Name> => each.fault.fault === name);
}

/** The fields of the request that the fault applies to. */
export function fieldsOf({ fault, request }: Drawn): readonly RootField[] {
  return request.fields.filter((field) => isAmong(fault.only, request, field));
}

/** One of several, by the choice that was drawn; undefined if there is none. */
export function chosen<T>(several: readonly T[], { choice }: Drawn): T | undefined {
  return several[Math.floor(choice * several.length)];
}
