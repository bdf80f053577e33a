import type { Change, EntityChange, FacetChange } from "../model/change.ts";
import type { Live } from "../model/live.ts";
import { type Memberships, noMemberships } from "../model/membership.ts";
import type { Plan, Unmanaged } from "../model/plan.ts";
import type { Problem } from "../model/problem.ts";
import type { DeclaredReference, Existence } from "../model/reference.ts";
import type { State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { adopt } from "./adopt/adopt.ts";
import { deletedValues, ignoredDeletions } from "./checks/deleted-values.ts";
import { guardFindings } from "./checks/guards/index.ts";
import { parentCycles } from "./checks/parent-cycles.ts";
import { deletedReferences, referenceProblems, referencesToCheck } from "./checks/references.ts";
import { partitionConflicts, withLiveValues } from "./diff/conflicts.ts";
import { diff } from "./diff/diff.ts";
import { heldDeletions } from "./diff/prune.ts";
import { withProvenance } from "./diff/provenance.ts";
import { summarise } from "./diff/summary.ts";
import { ingestedIn, noLongerDeclared, unmanagedToShow } from "./diff/unmanaged.ts";
import { sha256 } from "./diff/values.ts";
import { withAncestors } from "./order/ancestors.ts";
import { orderChanges } from "./order/order.ts";
import { type Policy, withoutPrune } from "./policy.ts";
import { groupListsIn } from "./sides/base.ts";
import { isDefinition } from "./sides/definitions.ts";
import { membersNoLongerDeclared } from "./sides/membership-edges.ts";
import { parentsIn } from "./sides/parents.ts";
import { type Sides, sidesOf } from "./sides/sides.ts";

/** What manifests declare: entities, and all that they refer to. */
export interface Desired {
  readonly state: State;
  readonly references: readonly DeclaredReference[];
}

/** What was read of the catalog. */
export interface Catalog {
  readonly live: Live;
  readonly memberships: Memberships;
  /** Of everything that is referred to and not defined beside it. */
  readonly existence: ReadonlyMap<Urn, Existence>;
}

/** The result of comparing: all of a plan but its header. */
export interface Comparison extends Pick<Plan, "summary" | "changes" | "findings" | "unmanaged"> {
  readonly problems: readonly Problem[];
}

/**
 * The difference between what manifests declare and what the catalog holds, with everything that a reader must know of
 * it. Where something could not be read nothing is deleted: it may refer to what would be.
 */
export function compare(desired: Desired, catalog: Catalog, policy: Policy): Comparison {
  const comparison = compareAll(desired, catalog, policy);
  const held = heldDeletions(comparison);
  if (held.length === 0) return comparison;
  const { problems, ...rest } = compareAll(desired, catalog, withoutPrune(policy));
  return { ...rest, problems: [...problems, ...held] };
}

function compareAll(desired: Desired, catalog: Catalog, policy: Policy): Comparison {
  const { live, memberships, existence } = catalog;
  const comparison = compareStates(desired.state, live, policy, memberships);
  const isKnown = (urn: Urn): boolean => isDefinition(desired.state, urn);
  const references = referencesToCheck(desired.references, partitionConflicts(comparison).pending, isKnown);
  const problems = [
    ...comparison.problems,
    ...referenceProblems(references, existence),
    ...deletedReferences(desired.references, comparison.changes),
  ];
  return { ...comparison, problems };
}

/** The difference between the two states, without what they refer to. */
export function compareStates(
  declared: State,
  found: Live,
  policy: Policy,
  memberships: Memberships = noMemberships,
): Comparison {
  const { modes, ignored, limits, onConflict } = policy;
  const sides = sidesOf(declared, found, memberships, policy);
  const { desired, live, base, gone, created, deletions } = sides;
  const rules = { modes, ignored, base };
  const { state: adopted, kept } = adopt(desired, live, rules);
  const updates = withProvenance(diff(adopted, live), { desired, live, declared }, rules, onConflict);
  const changes = withAncestors(
    changesFrom(declared, updates, created, deletions),
    parentsIn(live, found.above ?? new Map()),
  );
  const staying = [...sides.unmanaged, ...kept];
  const others = [
    ...ingestedIn(desired, found),
    ...staying,
    ...leftBehind(declared, sides, policy, memberships),
  ];
  const unmanaged = unmanagedToShow(others, ignored, new Set(deletions.map(({ urn }) => urn)));
  const vanished = policy.base && { urns: gone.map(({ urn }) => urn), of: policy.base.size };
  const findings = guardFindings({ changes, desired, live, ignored, vanished }, limits);
  return {
    summary: summarise(changes, adopted.size, unmanaged, findings),
    changes,
    findings,
    unmanaged,
    problems: [
      ...sides.problems,
      ...deletedValues(deletions, updates, staying, desired),
      ...ignoredDeletions(deletions, ignored),
      ...parentCycles(
        withLiveValues(adopted, partitionConflicts({ changes: updates }).skipped),
        live,
        found.above ?? new Map(),
      ),
    ],
  };
}

/** All changes in the order of a plan, with those of new entities marked as such. */
function changesFrom(
  declared: State,
  updates: readonly FacetChange[],
  created: ReadonlySet<Urn>,
  deletions: readonly EntityChange[],
): readonly Change[] {
  const named = updates.map((change) =>
    created.has(change.urn) ? { ...change, action: "create" as const } : change,
  );
  return [...orderChanges([...named, ...bareCreations(declared, created, named)]), ...deletions];
}

function bareCreations(
  declared: State,
  created: ReadonlySet<Urn>,
  changes: readonly Change[],
): readonly EntityChange[] {
  const changed = new Set(changes.map(({ urn }) => urn));
  return [...created].flatMap((urn): readonly EntityChange[] => {
    const entity = declared.get(urn);
    if (!entity || changed.has(urn)) return [];
    const { kind, origin } = entity;
    const source = origin && { source: origin };
    return [{ action: "create", shape: "entity", kind, urn, ...source, fingerprint: sha256(null) }];
  });
}

/** The live values that base declared and no manifest declares any more. */
function leftBehind(
  declared: State,
  { desired, live, base }: Sides,
  policy: Policy,
  memberships: Memberships,
): readonly Unmanaged[] {
  if (!policy.base || !base) return [];
  const edges = { desired: declared, lists: groupListsIn(declared) };
  return [
    ...noLongerDeclared(desired, live, base),
    ...membersNoLongerDeclared(edges, memberships, policy.base.state, {
      ignored: policy.ignored,
      prunesMembers: policy.pruneAssignments === "all",
    }),
  ];
}
