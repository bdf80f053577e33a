import { execute, type ExecuteOptions } from "./datahub/write/execute.ts";
import { readKnowledge } from "./datahub/read/removal-details.ts";
import { readLive } from "./datahub/read/live-state.ts";
import type { ReadOptions } from "./datahub/read/read-batches.ts";
import { readMemberships } from "./datahub/read/memberships.ts";
import { readPreliminaries } from "./datahub/read/probe.ts";
import type { Reader, Writer } from "./datahub/client/client.ts";
import { CatalogError } from "./model/catalog-error.ts";
import type { Live } from "./model/live.ts";
import type { Memberships } from "./model/membership.ts";
import type { Existence } from "./model/reference.ts";
import type { Plan, PlanHeader } from "./model/plan.ts";
import type { Urn } from "./model/urn.ts";
import type { Report } from "./model/report.ts";
import type { Desired } from "./manifests/desired-state.ts";
import { toRead } from "./plan/sides/base.ts";
import { heldOutcomes, settled } from "./plan/diff/conflicts.ts";
import { isDefinition } from "./plan/sides/definitions.ts";
import { operationsOf } from "./plan/order/operations.ts";
import { type Policy, withoutPrune } from "./plan/policy.ts";
import { deletedReferences, heldDeletions } from "./plan/diff/prune.ts";
import { withKnowledge } from "./plan/diff/removal-details.ts";
import { compare, type Comparison } from "./plan/compare.ts";
import { makePlan } from "./plan/plan.ts";
import { referenceProblems, referencesToCheck } from "./plan/checks/references.ts";

/**
 * manifests ─► desired state ─┐
 *                             ├─► changes ─► plan
 * catalog   ─► live state ────┘
 *
 * Reads what `desired` declares and compares. Writes nothing: a reader cannot.
 */
export async function plan(
  header: PlanHeader,
  desired: Pick<Desired, "state" | "references" | "groups">,
  reader: Reader,
  policy: Policy,
  options: ReadOptions = {},
): Promise<Plan> {
  const wanted = toRead(desired, policy.base);
  const { has, existence } = await readPreliminaries(reader, desired, options);
  const live = await readLive(reader, wanted.state, { ...options, has });
  const memberships = await readMemberships(reader, wanted.state, wanted.groups, options);
  refuseBlindness(live);
  const readings = { live, memberships, existence };
  const comparison = compared(desired, readings, policy);
  const held = heldDeletions(comparison);
  const settledOn = held.length === 0 ? comparison : compared(desired, readings, withoutPrune(policy));
  const known = await readKnowledge(reader, settledOn.changes, options);
  const changes = withKnowledge(settledOn.changes, known);
  return makePlan(header, { ...settledOn, changes }, held, policy);
}

/** What was read of the catalog. */
interface Readings {
  readonly live: Live;
  readonly memberships: Memberships;
  readonly existence: ReadonlyMap<Urn, Existence>;
}

/** The comparison, with what is wrong with what its changes refer to. */
function compared(
  desired: Pick<Desired, "state" | "references" | "groups">,
  { live, memberships, existence }: Readings,
  policy: Policy,
): Comparison {
  const comparison = compare(desired, live, memberships, policy);
  const isKnown = (urn: Urn): boolean => isDefinition(desired.state, urn);
  const references = referencesToCheck(desired.references, settled(comparison).due, isKnown);
  const problems = [
    ...comparison.problems,
    ...referenceProblems(references, existence),
    ...deletedReferences(desired.references, comparison.changes),
  ];
  return { ...comparison, problems };
}

/** plan ─► operations ─► report. Writes what the plan shows, and nothing else. */
export async function apply(approved: Plan, writer: Writer, options: ExecuteOptions = {}): Promise<Report> {
  const { due, held } = settled(approved);
  const { outcomes, stopped } = await execute(writer, operationsOf({ changes: due }), options);
  return { plan: approved, outcomes: [...outcomes, ...heldOutcomes(held)], stopped };
}

// A plan of what could not be read would say that all is well.
function refuseBlindness({ state, missing, unreadable }: Live): void {
  const [first] = unreadable.values();
  if (first === undefined || state.size + missing.size > 0) return;
  throw new CatalogError("answer", `nothing could be read from the catalog: ${first}`);
}
