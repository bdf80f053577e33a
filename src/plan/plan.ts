import { type Change, type EntityChange, isFacetChange, isSetChange } from "../model/change.ts";
import { canonicalJson, compareText } from "../model/json.ts";
import type { Live } from "../model/live.ts";
import { type DeclaredGroups, type Memberships, noMemberships } from "../model/membership.ts";
import { defaultLimits, type Limits } from "../model/policy.ts";
import type { Plan, PlanHeader, Summary, Unmanaged } from "../model/plan.ts";
import { type Problem, sortProblems } from "../model/problem.ts";
import { memberKey, type State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { adopt } from "./adopt.ts";
import { resolveColumns } from "./columns.ts";
import { createdIn, withBlanks, withImplied } from "./definitions.ts";
import { domainCircles } from "./domain-circles.ts";
import { diff } from "./diff.ts";
import { sha256 } from "./fingerprint.ts";
import { liveProblems } from "./live-problems.ts";
import { withMembers } from "./membership.ts";
import { type MissingRule, settleMissing } from "./missing.ts";
import { orderChanges } from "./order.ts";

/** What was found by comparing: all of a plan but what stands at its head. */
export interface Comparison extends Pick<Plan, "summary" | "changes" | "unmanaged"> {
  readonly problems: readonly Problem[];
}

/** The difference between what is declared and what is there, with all that a reader of it must know. */
export function compare(
  declared: State,
  found: Live,
  groups: ReadonlyMap<Urn, DeclaredGroups> = new Map(),
  memberships: Memberships = noMemberships,
): Comparison {
  const created = createdIn(declared, found.missing);
  const resolved = resolveColumns(withImplied(declared, created), found.state);
  const blank = withBlanks(found.state, declared, created);
  const { desired, live, ...edges } = withMembers(resolved.state, blank, groups, memberships);
  const adopted = adopt(desired, live);
  const updates = diff(adopted, live).map((change) =>
    created.has(change.urn) ? { ...change, action: "create" as const } : change,
  );
  const changes = orderChanges([...updates, ...bareCreations(declared, created, updates)]);
  const unmanaged = sortUnmanaged([...ingestedIn(desired, found), ...edges.unmanaged]);
  return {
    summary: summarise(changes, adopted.size, unmanaged),
    changes,
    unmanaged,
    problems: [
      ...liveProblems(declared, found),
      ...resolved.problems,
      ...edges.problems,
      ...domainCircles(adopted),
    ],
  };
}

function bareCreations(
  declared: State,
  created: ReadonlySet<Urn>,
  changes: readonly Change[],
): readonly EntityChange[] {
  const changed = new Set(changes.map(({ urn }) => urn));
  return [...created].flatMap((urn) => {
    const entity = declared.get(urn);
    if (!entity || changed.has(urn)) return [];
    const { kind, origin } = entity;
    return [{ action: "create", kind, urn, ...(origin && { source: origin }), fingerprint: sha256(null) }];
  });
}

/** The plan of a comparison, with the problems that were found beside it. */
export function makePlan(
  header: PlanHeader,
  comparison: Comparison,
  others: readonly Problem[] = [],
  missing: MissingRule = "error",
  limits: Limits = defaultLimits,
): Plan {
  const { tool, createdAt, target, git } = header;
  const { summary, changes, unmanaged } = comparison;
  const { problems, findings } = settleMissing(sortProblems([...comparison.problems, ...others]), missing);
  const sealed = { formatVersion: "1", target, limits, changes, findings } as const;
  return {
    formatVersion: "1",
    tool,
    createdAt,
    target,
    git,
    limits,
    digest: digestOf(sealed),
    summary,
    changes,
    findings,
    unmanaged,
    ...(problems.length > 0 && { problems }),
  };
}

/** The problems because of which an apply writes nothing; what could not be read holds back only itself. */
export function refusingProblems({ problems = [] }: Pick<Plan, "problems">): readonly Problem[] {
  return problems.filter(({ severity, code }) => severity === "error" && code !== "read-failed");
}

/** What the digest of a plan is computed over. */
type Sealed = Pick<Plan, "formatVersion" | "target" | "limits" | "changes" | "findings">;

/** The digest of a plan. It finds accidents and edits; it is no signature. */
export function digestOf({ formatVersion, target, limits, changes, findings }: Sealed): string {
  const withoutSource = changes.map(({ source, ...change }) => change);
  return `sha256:${sha256({ formatVersion, target, limits, changes: withoutSource, findings })}`;
}

function summarise(changes: readonly Change[], present: number, unmanaged: readonly Unmanaged[]): Summary {
  const changed = new Set(changes.map((change) => change.urn)).size;
  const create = new Set(changes.flatMap(({ action, urn }) => (action === "create" ? [urn] : []))).size;
  const sets = changes.filter(isFacetChange).filter(isSetChange);
  return {
    create,
    update: changed - create,
    delete: 0,
    unchanged: present - changed,
    additions: sets.reduce((sum, change) => sum + change.add.length, 0),
    removals: sets.reduce((sum, change) => sum + change.remove.length, 0),
    unmanaged: unmanaged.length,
    conflicts: 0,
    blocked: 0,
  };
}

// Ingested tags are worth a line only where the column is managed and the same tag is not declared anyway.
function ingestedIn(desired: State, live: Live): readonly Unmanaged[] {
  return live.unmanaged.filter(({ urn, facet, column, value }) => {
    const declared = desired.get(urn)?.facets.get(facet);
    const entry =
      declared?.shape === "map" && column !== undefined ? declared.entries.get(column) : undefined;
    return entry?.shape === "set" && !entry.members.some((member) => memberKey(member) === value);
  });
}

function sortUnmanaged(unmanaged: readonly Unmanaged[]): readonly Unmanaged[] {
  return unmanaged.toSorted((a, b) => compareText(keyOfUnmanaged(a), keyOfUnmanaged(b)));
}

function keyOfUnmanaged({ urn, facet, column = "", value }: Unmanaged): string {
  return [urn, facet, column, typeof value === "string" ? value : canonicalJson(value)].join("\n");
}
