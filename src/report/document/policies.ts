import type { Judged, PolicyCount, Violation } from "../../model/catalog-policy.ts";
import type { Names, Plan, PolicyTotals } from "../../model/plan.ts";
import { printable } from "../printable.ts";
import type { PolicyRow } from "./document.ts";
import { positionText, urnWithName } from "./values.ts";

/** The violations that a plan introduces, each with its reasons and the change that causes it. */
export function policyRows({ policies = [], names }: Pick<Plan, "policies" | "names">): readonly PolicyRow[] {
  return policies.flatMap((policy) => policyRowsOf(policy, policy.introduced, names));
}

/** Violations of one policy that are introduced. */
export function policyRowsOf(
  { id, severity }: Pick<PolicyCount, "id" | "severity">,
  introduced: readonly Violation[],
  names?: Names,
): readonly PolicyRow[] {
  return introduced.map((violation) => ({
    severity,
    policy: id,
    judged: violation,
    text: printable(`policy ${id}: ${violationText(violation, names)}`),
    ...(violation.source && { origin: violation.source }),
  }));
}

/** What a violation is about, and its reasons. */
export function violationText(violation: Violation, names?: Names): string {
  return `${judgedText(violation, names)}: ${violation.reasons.join("; ")}`;
}

/** What a verdict is about. */
export function judgedText({ urn, column }: Judged, names?: Names): string {
  const entity = urnWithName(urn, names);
  return column === undefined ? entity : `${entity}, column ${column}`;
}

/** A row with its place, as a line of text. */
export function policyLine({ severity, text, origin }: PolicyRow): string {
  return `${severity}: ${text}${origin ? ` (${positionText(origin)})` : ""}`;
}

/** The verdicts of all policies together: `Policies: 1 introduced, 14 fixed, 212 existing, 3 waived.` */
export function policyTotalsText({ introduced, fixed, existing, waived, unknown }: PolicyTotals): string {
  const more = unknown > 0 ? `, ${unknown} unknown` : "";
  return `Policies: ${introduced} introduced, ${fixed} fixed, ${existing} existing, ${waived} waived${more}.`;
}
