/**
 * Describes policy verdicts: violations, unknown verdicts, explanations and totals. Writes waivers that users can paste into
 * manifests.
 */

import type {
  CatalogPolicy,
  Judged,
  LiftedViolation,
  PolicyCount,
  Violation,
} from "../../model/catalog-policy.ts";
import type { Names, PolicyTotals } from "../../model/plan.ts";
import { numberText } from "../count.ts";
import { printable } from "../printable.ts";
import type { Row } from "../page.ts";
import type { PolicyRow } from "./document.ts";
import { positionText, urnWithName } from "./values.ts";

/**
 * The verdicts in a plan, the display names for entities, and the time from which the expiry of suggested waivers is computed.
 */
export interface PlanVerdicts {
  readonly createdAt: string;
  readonly names?: Names;
  readonly policies?: readonly PolicyCount[];
  readonly noLongerStopped?: readonly LiftedViolation[];
  readonly strictPolicies?: true;
}

/** Returns the new violations, each with its reasons and the change that causes it. */
export function policyRows({ policies = [], names, createdAt }: PlanVerdicts): readonly PolicyRow[] {
  return policies.flatMap((policy): readonly PolicyRow[] => {
    const { id, severity, introduced, source } = policy;
    const about = printable(`${aboutPolicy(policy)} (${positionText(source)})`);
    return introduced.map((violation) => ({
      severity,
      isLabeled: true,
      policy: id,
      judged: violation,
      help: [about, ...waiverLines(id, [violation], createdAt)],
      text: printable(`policy ${id}: ${violationText(violation, names)}`),
      ...(violation.source && { origin: violation.source }),
    }));
  });
}

/**
 * The lifetime of a suggested waiver, in days. It leaves enough time to fix the violation and is within the limit in the
 * settings.
 */
const waivedDays = 30;

/** The maximum number of entities that a suggested waiver lists. */
const maxWaived = 5;

/** Returns the violations that policies no longer block because the policies were changed. */
export function noLongerStoppedRows({
  noLongerStopped = [],
  strictPolicies,
  names,
}: PlanVerdicts): readonly PolicyRow[] {
  return noLongerStopped.map((violation) => ({
    severity: strictPolicies ? "error" : "warning",
    isLabeled: true,
    policy: violation.policy,
    judged: violation,
    help: [],
    text: printable(`no longer blocked: policy ${violation.policy}: ${violationText(violation, names)}`),
    ...(violation.source && { origin: violation.source }),
  }));
}

/**
 * Explains each policy that has violations or unknown verdicts. The expiry dates of waivers are computed from `at`, the time of
 * the result in ISO 8601 format.
 */
export function policyHelpOf(policies: readonly PolicyCount[], at: string): readonly Row[] {
  return policies
    .filter(({ introduced, unknown }) => introduced.length > 0 || unknown > 0)
    .map((policy) => ({
      text: printable(aboutPolicy(policy)),
      origin: policy.source,
      waiver: waiverLines(policy.id, policy.introduced, at),
    }));
}

/** Describes a policy's purpose and owners. */
export function aboutPolicy({ id, description, codeOwners = [] }: CatalogPolicy | PolicyCount): string {
  const owned = codeOwners.length > 0 ? ` (owned by ${codeOwners.join(", ")})` : "";
  return `policy ${id}${owned}${description === undefined ? "" : `: ${description}`}`;
}

/** Writes a waiver as YAML. The user has to add the reason. */
function waiverLines(policy: string, violations: readonly Judged[], at: string): readonly string[] {
  const all = [...new Set(violations.map(({ urn }) => urn))];
  const urns = all.slice(0, maxWaived);
  if (urns.length === 0 || Number.isNaN(Date.parse(at))) return [];
  const quoted = urns.map((urn) => JSON.stringify(urn)).join(", ");
  const expires = new Date(Date.parse(at) + waivedDays * 86_400_000).toISOString().slice(0, 10);
  const more = `# This waiver lists ${urns.length} of ${numberText(all.length)} entities. Add the others, or use a pattern.`;
  return [
    ...(all.length > urns.length ? [more] : []),
    "kind: Waiver",
    `policy: ${JSON.stringify(policy)}`,
    `match: { urn: ${urns.length === 1 ? quoted : `[${quoted}]`} }`,
    "reason: Explain why the violation is waived, and when it will be fixed.",
    `expires: ${expires}`,
  ].map(printable);
}

/** The maximum number of unknown verdicts to list for a policy, unless all are requested. */
const maxUnknown = 20;

/**
 * Returns the unknown verdicts, each with its reason and its policy's location. Lists only the first verdicts of each policy,
 * unless `all` is set.
 */
export function unknownRows({ policies = [], names }: PlanVerdicts, all = false): readonly PolicyRow[] {
  return policies.flatMap(
    ({ id, severity, source: origin, unknown, unknownEntities = [] }): readonly PolicyRow[] => {
      const listed = all ? unknownEntities : unknownEntities.slice(0, maxUnknown);
      const rowOf = (judged: Judged, what: string): PolicyRow => {
        const text = printable(`policy ${id}: ${what}`);
        return { severity, isLabeled: true, policy: id, judged, help: [], text, origin };
      };
      const rows = listed.map((each) =>
        rowOf(each, `${verdictSubject(each, names)}: unknown: ${each.reason}`),
      );
      const [first] = unknownEntities;
      const left = unknown - listed.length;
      if (!first || left === 0) return rows;
      return [...rows, { ...rowOf(first, `… and ${numberText(left)} more unknown`), of: left }];
    },
  );
}

/** Describes a violation: its subject and its reasons. */
export function violationText(violation: Violation, names?: Names): string {
  const { reasons, found } = violation;
  const seen = found === undefined ? "" : ` (found ${found})`;
  return `${verdictSubject(violation, names)}: ${reasons.join("; ")}${seen}`;
}

/** Returns a verdict's subject: an entity or a column. */
export function verdictSubject({ urn, column }: Judged, names?: Names): string {
  const entity = urnWithName(urn, names);
  return column === undefined ? entity : `${entity}, column ${column}`;
}

/** Summarizes the verdicts of all policies: `Policies: 1 introduced, 14 fixed, 212 existing, 3 waived.` */
export function policyTotalsText({ introduced, fixed, existing, waived, unknown }: PolicyTotals): string {
  const more = unknown > 0 ? `, ${unknown} unknown` : "";
  return `Policies: ${introduced} introduced, ${fixed} fixed, ${existing} existing, ${waived} waived${more}.`;
}
