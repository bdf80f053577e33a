import { execute, type ExecuteOptions } from "./datahub/execute.ts";
import { readLive } from "./datahub/live-state.ts";
import type { ReadOptions } from "./datahub/read-batches.ts";
import { readMemberships } from "./datahub/memberships.ts";
import { readPreliminaries } from "./datahub/preliminaries.ts";
import type { Reader, Writer } from "./datahub/client.ts";
import { CatalogError } from "./model/catalog-error.ts";
import type { Live } from "./model/live.ts";
import type { Plan, PlanHeader } from "./model/plan.ts";
import type { Urn } from "./model/urn.ts";
import type { Report } from "./model/report.ts";
import type { Desired } from "./manifests/desired-state.ts";
import type { MissingRule } from "./plan/missing.ts";
import { isDefinition } from "./plan/definitions.ts";
import { operationsOf } from "./plan/operations.ts";
import { compare, makePlan } from "./plan/plan.ts";
import { referenceProblems, referencesToCheck } from "./plan/references.ts";

/** How a plan is made: how the catalog is read, and what is done about what is gone. */
interface PlanningOptions extends ReadOptions {
  readonly missing?: MissingRule;
}

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
  options: PlanningOptions = {},
): Promise<Plan> {
  const { has, existence } = await readPreliminaries(reader, desired, options);
  const live = await readLive(reader, desired.state, { ...options, has });
  const memberships = await readMemberships(reader, desired.state, desired.groups, options);
  refuseBlindness(live);
  const comparison = compare(desired.state, live, desired.groups, memberships);
  const isKnown = (urn: Urn): boolean => isDefinition(desired.state, urn);
  const references = referencesToCheck(desired.references, comparison.changes, isKnown);
  return makePlan(header, comparison, referenceProblems(references, existence), options.missing);
}

/** plan ─► operations ─► report. Writes what the plan shows, and nothing else. */
export async function apply(approved: Plan, writer: Writer, options: ExecuteOptions = {}): Promise<Report> {
  return { plan: approved, ...(await execute(writer, operationsOf(approved), options)) };
}

// A plan of what could not be read would say that all is well.
function refuseBlindness({ state, missing, unreadable }: Live): void {
  const [first] = unreadable.values();
  if (first === undefined || state.size + missing.size > 0) return;
  throw new CatalogError("answer", `nothing could be read from the catalog: ${first}`);
}
