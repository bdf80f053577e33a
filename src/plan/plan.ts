import { kindOf } from "../kinds/index.ts";
import { type Change, isSetChange } from "../model/change.ts";
import { compareText } from "../model/json.ts";
import type { Live } from "../model/live.ts";
import type { Plan, PlanHeader, Summary, Unmanaged } from "../model/plan.ts";
import { type Problem, sortProblems } from "../model/problem.ts";
import { type Entity, type KindName, type MapValue, memberKey, type State } from "../model/state.ts";
import { adopt } from "./adopt.ts";
import { resolveColumns } from "./columns.ts";
import { diff } from "./diff.ts";
import { sha256 } from "./fingerprint.ts";
import { liveProblems } from "./live-problems.ts";
import { type MissingRule, settleMissing } from "./missing.ts";
import { orderChanges } from "./order.ts";

/** The entities that this version reads and changes: the definitions are validated only. */
export function inScope(desired: State): State {
  return new Map([...desired].filter(([, entity]) => kindOf(entity.kind).lifecycle === "observed"));
}

/** What was found by comparing: all of a plan but what stands at its head. */
export interface Comparison extends Pick<Plan, "summary" | "changes" | "unmanaged" | "notApplied"> {
  readonly problems: readonly Problem[];
}

/** The difference between what is declared and what is there, with all that a reader of it must know. */
export function compare(desired: State, live: Live): Comparison {
  const scope = inScope(desired);
  const { state, problems } = resolveColumns(scope, live.state);
  const adopted = adopt(state, live.state);
  const changes = orderChanges(diff(adopted, live.state));
  const unmanaged = unmanagedIn(state, live);
  const notApplied = countByKind([...desired.values()].filter((entity) => !scope.has(entity.urn)));
  return {
    summary: summarise(changes, adopted.size, unmanaged),
    changes,
    unmanaged,
    ...(Object.keys(notApplied).length > 0 && { notApplied }),
    problems: [...liveProblems(scope, live), ...problems],
  };
}

/** The plan of a comparison, with the problems that were found beside it. */
export function makePlan(
  header: PlanHeader,
  comparison: Comparison,
  others: readonly Problem[] = [],
  missing: MissingRule = "error",
): Plan {
  const { tool, createdAt, target, git } = header;
  const { summary, changes, unmanaged, notApplied } = comparison;
  const { problems, findings } = settleMissing(sortProblems([...comparison.problems, ...others]), missing);
  const sealed = { formatVersion: "1", target, limits: {}, changes, findings } as const;
  return {
    formatVersion: "1",
    tool,
    createdAt,
    target,
    git,
    limits: {},
    digest: digestOf(sealed),
    summary,
    changes,
    findings,
    unmanaged,
    ...(notApplied && { notApplied }),
    ...(problems.length > 0 && { problems }),
  };
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
  const sets = changes.filter(isSetChange);
  return {
    create: 0,
    update: changed,
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
function unmanagedIn(desired: State, live: Live): readonly Unmanaged[] {
  return live.unmanaged
    .filter(({ urn, facet, column, value }) => {
      const declared = desired.get(urn)?.facets.get(facet) as MapValue | undefined;
      const entry = column === undefined ? undefined : declared?.entries.get(column);
      return entry?.shape === "set" && !entry.members.some((member) => memberKey(member) === value);
    })
    .toSorted((a, b) => compareText(keyOfUnmanaged(a), keyOfUnmanaged(b)));
}

function keyOfUnmanaged({ urn, facet, column = "", value }: Unmanaged): string {
  return [urn, facet, column, typeof value === "string" ? value : JSON.stringify(value)].join("\n");
}

function countByKind(entities: readonly Entity[]): Partial<Record<KindName, number>> {
  const counts: Partial<Record<KindName, number>> = {};
  for (const { kind } of entities) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
