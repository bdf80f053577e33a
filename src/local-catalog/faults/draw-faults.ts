/** Draws faults at random for each request, and selects the fields or entities that each fault affects. */

import { draw } from "../draw.ts";
import type { FaultReport } from "./report.ts";
import { isSelected, type RootField, type ClassifiedRequest } from "./request.ts";
import type { Fault, FaultSettings } from "./settings.ts";

/** A fault that was drawn for a request. */
export interface DrawnFault<Of extends Fault = Fault> {
  readonly fault: Of;
  readonly request: ClassifiedRequest;
  /** A number in the range [0, 1) that determines which field or entity in the request fails. */
  readonly choice: number;
  /** Records in the report that the fault affected this request. Only the first call has an effect. */
  readonly inject: () => void;
}

/** A drawn fault with one of the given names. */
export type DrawnFaultOf<Name extends Fault["fault"]> = DrawnFault<Fault & { readonly fault: Name }>;

/**
 * Draws the faults for the request with the given number, in the order in which the settings list them. The result depends only
 * on the arguments.
 */
export function drawFaults(
  number: number,
  request: ClassifiedRequest,
  { seed = 1, faults = [] }: FaultSettings,
  report: FaultReport,
): readonly DrawnFault[] {
  return faults.flatMap((fault, index): readonly DrawnFault[] => {
    if (!isSelected(fault.only, request) || draw(seed, number, index) >= fault.rate) return [];
    const count = report.faults[index];
    let isCounted = false;
    const inject = (): void => {
      if (count && !isCounted) count.injected += 1;
      isCounted = true;
    };
    return [{ fault, request, choice: draw(seed, number, index, "choice"), inject }];
  });
}

/** Returns the drawn faults with the given name. */
export function faultsNamed<Name extends Fault["fault"]>(
  drawn: readonly DrawnFault[],
  name: Name,
): readonly DrawnFaultOf<Name>[] {
  return drawn.filter((each): each is DrawnFaultOf<Name> => each.fault.fault === name);
}

/** Returns the request's fields that the fault applies to. */
export function fieldsOf({ fault, request }: DrawnFault): readonly RootField[] {
  return request.fields.filter((field) => isSelected(fault.only, request, field));
}

/** Returns the value that `choice` selects, or undefined if there are no values. */
export function chooseOne<T>(several: readonly T[], { choice }: DrawnFault): T | undefined {
  return several[Math.floor(choice * several.length)];
}
