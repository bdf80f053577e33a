/** Evaluates policies on listed entities, and decides whether a single read serves both the list and the policies. */

import type { Reader } from "../../datahub/client.ts";
import type { Kind } from "../../kinds/kind.ts";
import { groupBy } from "../../model/group-by.ts";
import type { ListedEntity, ListFilter, PolicyCoverage } from "../../model/listing.ts";
import type { Urn } from "../../model/urn.ts";
import { matchedBy, type PolicyResult } from "../../plan/policies/judge-policies.ts";
import type { PlannedEntities } from "../../plan/listing/planned.ts";
import { evaluateCatalog, type CurrentPolicies } from "../policies/evaluate-policies.ts";
import type { PeopleReader } from "../policies/people.ts";
import { type KnownEntities, questionFor, type SubjectQuery } from "../policies/subjects.ts";
import type { ReadOptions } from "../read/read-batches.ts";

/** Listed entities, each with the ids of the policies that it violates. */
export interface JudgedEntities {
  readonly entities: readonly ListedEntity[];
  readonly policies: readonly PolicyCoverage[];
  /** The entities that could not be evaluated, each with the reason. */
  readonly unreadable: ReadonlyMap<Urn, string>;
}

/**
 * Returns the policy query for a kind if the list contains every entity that is read. A single read then serves both the list and
 * the policies. Returns `undefined` if no policy applies to the kind, or if the filter may exclude entities. If entities were
 * excluded, policies read the listed entities separately.
 */
export function sharedQuestion(
  { name }: Kind,
  { values, missing, isDeclared }: ListFilter,
  policies: CurrentPolicies,
): SubjectQuery | undefined {
  const listsAll = values.size === 0 && missing.length === 0 && isDeclared === undefined;
  const isJudged = policies.policies.some(({ kind }) => kind === name);
  return listsAll && isJudged ? questionFor(name, policies, policies.declaring) : undefined;
}

/** A reader, and the entities that have already been read. */
interface ListedSource {
  readonly reader: Reader;
  readonly people: PeopleReader;
  readonly known?: KnownEntities | undefined;
}

/** Evaluates policies on listed entities, either in their current state or in the state after the plan. */
export async function evaluateListed(
  { reader, people, known }: ListedSource,
  entities: readonly ListedEntity[],
  policies: CurrentPolicies,
  { planned, ...options }: ReadOptions & { readonly planned?: PlannedEntities | undefined },
): Promise<JudgedEntities> {
  const kinds = new Set(policies.policies.map(({ kind }) => kind));
  const judged = entities.filter(({ kind }) => kinds.has(kind));
  const listed = new Set(judged.map(({ urn }) => urn));
  const all = [...(planned?.changes ?? [])];
  const toJudge = {
    changes: all.flatMap(([urn, own]) => (listed.has(urn) ? own : [])),
    others: all.flatMap(([urn, own]) => (listed.has(urn) ? [] : own)),
  };
  const byKind = groupBy(judged, ({ kind }) => kind);
  const pages = ({ name }: Kind): readonly (readonly Urn[])[] => [
    [...new Set(byKind.get(name)?.map(({ urn }) => urn))],
  ];
  const results = await evaluateCatalog({ reader, pages, people, known }, toJudge, policies, options);
  const violations = groupBy(violationsIn(results), ({ urn }) => urn);
  const violatedBy = ({ urn, column }: ListedEntity): readonly string[] => {
    const own = (violations.get(urn) ?? []).filter(
      (each) => column === undefined || each.column === undefined || each.column === column,
    );
    return [...new Set(own.map(({ id }) => id))];
  };
  return {
    entities: entities.map((entity) => ({ ...entity, violates: violatedBy(entity) })),
    policies: results.map((result) => ({
      id: result.policy.id,
      matched: matchedBy(result),
      passes: result.passes,
    })),
    unreadable: new Map(
      results.flatMap(({ policy, unknown }) =>
        unknown.map(({ urn, reasons }) => [urn, `policy ${policy.id}: ${reasons.join("; ")}`] as const),
      ),
    ),
  };
}

function violationsIn(
  results: readonly PolicyResult[],
): readonly { readonly id: string; readonly urn: Urn; readonly column?: string }[] {
  return results.flatMap(({ policy: { id }, introduced, existing }) =>
    [...introduced, ...existing].map(({ urn, column }) =>
      column === undefined ? { id, urn } : { id, urn, column },
    ),
  );
}
