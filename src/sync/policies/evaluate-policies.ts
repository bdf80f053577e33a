/**
 * Evaluates policies on changed entities or on an entire catalog, and finds violations that would block a plan under earlier
 * policies, but not under the current ones.
 */

import type { LiftedViolation, Policies } from "../../model/catalog-policy.ts";
import type { Change } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { KindName, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { pendingIn } from "../../model/held-back.ts";
import type { Shard } from "../../model/plan.ts";
import { changesOfMembers, deletionsFrom } from "../../plan/policies/effects.ts";
import { changesOfPeople } from "../../plan/policies/planned.ts";
import { noLongerStoppedViolations } from "../../plan/policies/no-longer-stopped.ts";
import { sourcesIn } from "../../plan/policies/sources.ts";
import { shardOf } from "../../plan/shard.ts";
import { policyJudge, type PolicyResult } from "../../plan/policies/judge-policies.ts";
import type { Declaring } from "../../plan/rules/declared-by.ts";
import { kindOf } from "../../kinds/index.ts";
import type { Reader } from "../../datahub/client.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { prefetchNext } from "../read/prefetch-next.ts";
import type { EntitySource } from "../read/entity-source.ts";
import { readAffected } from "./affected.ts";
import { otherEndsReader } from "./other-ends.ts";
import { noPeople, pairOf, peopleFor } from "./pairs.ts";
import { type PeopleReader, peopleReader } from "./people.ts";
import { createYielder } from "./event-loop.ts";
import {
  type KnownEntities,
  type LiveSubject,
  questionFor,
  readSubjects,
  type SubjectQuery,
} from "./subjects.ts";

/** Policies and waivers, the declarations that they need, and the day of the evaluation in UTC. */
export interface CurrentPolicies extends Policies {
  /** The policies at the merge base, if they differ from the current policies. */
  readonly fork?: Policies | undefined;
  /** The policies at the last applied commit, if the commit is known. */
  readonly base?: Policies | undefined;
  readonly declaring: Declaring;
  readonly day: string;
}

/** The changes to evaluate. */
export interface PolicyInput {
  readonly changes: readonly Change[];
  /** Live values of changed entities that were already read. */
  readonly known?: State;
  /** Changes to entities that are not evaluated themselves. These changes affect the results. */
  readonly others?: readonly Change[];
  /** The shard whose entities are evaluated, if the changes belong to one shard. */
  readonly shard?: Shard | undefined;
}

/**
 * Evaluates policies before and after the changes, for each entity whose result may change. These are changed entities, and
 * entities affected by changes to other entities. Reads only the values that policies need. The result for an unreadable entity
 * is unknown. Throws `CatalogError` if a request fails or the index cannot be read, or the signal's reason if it is aborted.
 */
export async function evaluatePolicies(
  reader: Reader,
  toJudge: PolicyInput,
  given: CurrentPolicies,
  options: ReadOptions,
): Promise<readonly PolicyResult[]> {
  const people = peopleReader(reader, options);
  const known = { state: toJudge.known };
  const judging = judgingOf({ reader, people, known }, toJudge, given, options);
  for (const kind of judging.kinds) {
    const affected = await judging.affected(kind);
    const changed = judging.changes.get(kind)?.keys() ?? [];
    await judging.judge(await judging.read(kind, [...new Set([...changed, ...affected])]));
  }
  return judging.results();
}

/**
 * Returns the violations that block a plan under the policies at the merge base, but not under the current policies. Returns none
 * if the policies are the same. Reads the same values as `evaluatePolicies`, and throws the same errors.
 */
export async function evaluateLifted(
  reader: Reader,
  { toJudge, verdicts }: { readonly toJudge: PolicyInput; readonly verdicts: readonly PolicyResult[] },
  { fork, ...given }: CurrentPolicies,
  options: ReadOptions,
): Promise<readonly LiftedViolation[]> {
  if (!fork) return [];
  const stopping = fork.policies.filter(({ severity }) => severity === "error");
  if (stopping.length === 0) return [];
  const earlier = { ...given, policies: stopping, waivers: fork.waivers, base: undefined };
  return noLongerStoppedViolations(await evaluatePolicies(reader, toJudge, earlier, options), verdicts);
}

/** Provides the entities to evaluate. */
interface EntitiesToJudge extends EntitySource {
  /** Caches owners across several calls. */
  readonly people?: PeopleReader;
  /** Entities that were already read. */
  readonly known?: KnownEntities | undefined;
}

/**
 * Evaluates policies on all entities that they may match, page by page, and on the entities that changes create. Throws the same
 * errors as `evaluatePolicies`, and `CatalogError` if a page cannot be read.
 */
export async function evaluateCatalog(
  { reader, pages, people: givenPeople, known }: EntitiesToJudge,
  toJudge: PolicyInput,
  given: CurrentPolicies,
  options: ReadOptions,
): Promise<readonly PolicyResult[]> {
  const people = givenPeople ?? peopleReader(reader, options);
  const judging = judgingOf({ reader, people, known }, toJudge, given, options);
  for (const kind of judging.kinds) {
    const created = new Set(judging.changes.get(kind)?.keys());
    const read = async (urns: readonly Urn[]): Promise<Read> => {
      for (const urn of urns) created.delete(urn);
      return await judging.read(kind, urns);
    };
    for await (const each of prefetchNext(pages(kindOf(kind)), read)) await judging.judge(each);
    await judging.judge(await judging.read(kind, [...created]));
  }
  return judging.results();
}

/** Entities of one kind that were read, in the order of `urns`. */
interface Read {
  readonly question: SubjectQuery;
  readonly urns: readonly Urn[];
  readonly found: ReadonlyMap<Urn, LiveSubject>;
}

interface Judging {
  /** The kinds to which the policies apply. */
  readonly kinds: ReadonlySet<KindName>;
  /** Changes, grouped by kind and URN. */
  readonly changes: ReadonlyMap<KindName, ReadonlyMap<Urn, readonly Change[]>>;
  /** Returns the entities of a kind whose results depend on changes to other entities. */
  readonly affected: (kind: KindName) => Promise<readonly Urn[]>;
  readonly read: (kind: KindName, urns: readonly Urn[]) => Promise<Read>;
  /** Evaluates policies on entities and their owners. Calls must not overlap. Otherwise, the same owner might be read twice. */
  readonly judge: (read: Read) => Promise<void>;
  readonly results: () => readonly PolicyResult[];
}

function judgingOf(
  { reader, people, known }: Pick<EntitiesToJudge, "reader" | "known"> & { readonly people: PeopleReader },
  toJudge: PolicyInput,
  given: CurrentPolicies,
  options: ReadOptions,
): Judging {
  const { shard, others = [] } = toJudge;
  const { declaring } = given;
  const pending = pendingIn(toJudge.changes);
  const all = [...pending, ...pendingIn(others)];
  const changes = byKindAndUrn(pending);
  const effects = byKindAndUrn([...pending, ...changesOfMembers(all)]);
  const deleted = new Set<string>(deletionsFrom(all).map(({ urn }) => urn));
  const causes = new Map<Urn, readonly Change[]>();
  const judge = policyJudge(given, {
    base: given.base,
    day: given.day,
    sourceOf: sourcesIn(pending, causes),
  });
  const named = withEarlier(given);
  const ofPeople = changesOfPeople(all);
  const otherEnds = otherEndsReader(reader, options);
  const turn = createYielder(options.signal);
  const questions = new Map<KindName, SubjectQuery>();
  const questionOf = (kind: KindName): SubjectQuery => {
    const question = questions.get(kind) ?? questionFor(kind, named, declaring);
    questions.set(kind, question);
    return question;
  };
  return {
    kinds: new Set(given.policies.map(({ kind }) => kind)),
    changes,
    affected: async (kind) => {
      const affected = await readAffected(reader, all, questionOf(kind), options);
      const ofKind = [...affected].filter(([urn]) => !shard || shardOf(urn, shard.of) === shard.index);
      for (const [urn, own] of ofKind) causes.set(urn, own);
      return ofKind.map(([urn]) => urn);
    },
    read: async (kind, urns) => {
      const question = questionOf(kind);
      const { batch, signal } = options;
      return {
        question,
        urns,
        found: await readSubjects(reader, question, urns, { batch, signal, known, otherEnds }),
      };
    },
    judge: async ({ question, urns, found }) => {
      const own = effects.get(question.kind);
      const pairs = urns.map((urn) =>
        pairOf(urn, found.get(urn), question, { own: own?.get(urn) ?? [], deleted, declaring }),
      );
      const owners = question.needs.people ? await peopleFor(people, pairs, ofPeople) : noPeople;
      for (const pair of pairs)
        for (const judgeBy of judge.each) {
          judgeBy(pair, owners);
          if (turn.isDue()) await turn.take();
        }
    },
    results: judge.results,
  };
}

function byKindAndUrn(
  changes: readonly Change[],
): ReadonlyMap<KindName, ReadonlyMap<Urn, readonly Change[]>> {
  const byKind = groupBy(changes, ({ kind }) => kind);
  return new Map([...byKind].map(([kind, own]) => [kind, groupBy(own, ({ urn }) => urn)]));
}

/** Adds the waivers at the base and, for each current policy, the version at the base with the same id. */
function withEarlier({ policies, waivers, base }: CurrentPolicies): Policies {
  const ids = new Set(policies.map(({ id }) => id));
  const earlier = (base?.policies ?? []).filter(({ id }) => ids.has(id));
  return { policies: [...policies, ...earlier], waivers: [...waivers, ...(base?.waivers ?? [])] };
}
