import type { CatalogPolicy, Judged, Policies } from "../../model/catalog-policy.ts";
import type { Change } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Origin } from "../../model/origin.ts";
import type { KindName, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { partitionHeldBack } from "../../plan/diff/held-back.ts";
import { afterChanges, changesOfPeople, type PeopleChanges, peopleAfter } from "../../plan/judge/planned.ts";
import {
  type PeoplePair,
  policyJudge,
  type PolicyResult,
  type SubjectPair,
} from "../../plan/judge/judge-policies.ts";
import { conditionsOf, requirementsOf } from "../../plan/judge/policy.ts";
import { blankFacets } from "../../plan/sides/definitions.ts";
import { ownerOf, type People, type Subject, valuesAt } from "../../plan/judge/subject.ts";
import { isRestoring } from "../../plan/order/links.ts";
import type { Declaring } from "../../plan/rules/declared-by.ts";
import { columnOf } from "../../facets/places.ts";
import { kindOf } from "../../kinds/index.ts";
import type { Reader } from "../../datahub/client.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { oneAhead } from "../read/one-ahead.ts";
import type { EntitySource } from "../list/entity-source.ts";
import { type PeopleReader, peopleReader } from "./people.ts";
import {
  asSubject,
  type KnownEntities,
  type LiveSubject,
  plainAsset,
  questionFor,
  readSubjects,
  type SubjectQuestion,
} from "./subjects.ts";

/** Policies, waivers, what manifests declare, and the day on which they are judged, in UTC. */
export interface PoliciesAtHand extends Policies {
  /** Those of the last applied commit, where it is known. */
  readonly base?: Policies | undefined;
  readonly declaring: Declaring;
  readonly day: string;
}

/** What changes. */
export interface ToJudge {
  readonly changes: readonly Change[];
  /** What the plan has read of what it changes. */
  readonly known?: State;
  /** Of a shard, whether another one creates or restores a user or group that is missing. */
  readonly isComing?: (urn: Urn) => boolean;
  /** Of a shard, what any of them deletes. */
  readonly deletions?: readonly Change[];
}

/**
 * Judges what changes, as it is and as it will be. Reads what policies name of it, and nothing else. What cannot be read is
 * unknown; throws `CatalogError` where the server cannot be asked, and the reason of a signal.
 */
export async function judgeChanges(
  reader: Reader,
  toJudge: ToJudge,
  given: PoliciesAtHand,
  options: ReadOptions,
): Promise<readonly PolicyResult[]> {
  const people = peopleReader(reader, options);
  const { known: state } = toJudge;
  const judging = judgingOf({ reader, people, ...(state && { known: { state } }) }, toJudge, given, options);
  for (const [kind, byUrn] of judging.changes) {
    if (judging.kinds.has(kind)) await judging.judge(await judging.read(kind, [...byUrn.keys()]));
  }
  return judging.results();
}

/** Where the entities to judge come from. */
interface EntitiesToJudge extends EntitySource {
  /** Keeps the owners that were read, where entities are judged in several calls. */
  readonly people?: PeopleReader;
  /** What was read of the entities. */
  readonly known?: KnownEntities | undefined;
}

/**
 * Judges all entities that policies may match, page by page, and those that changes create. Throws as `judgeChanges`, and where a
 * page cannot be read.
 */
export async function judgeCatalog(
  { reader, pages, people: kept, known }: EntitiesToJudge,
  toJudge: ToJudge,
  given: PoliciesAtHand,
  options: ReadOptions,
): Promise<readonly PolicyResult[]> {
  const people = kept ?? peopleReader(reader, options);
  const judging = judgingOf({ reader, people, known }, toJudge, given, options);
  for (const kind of judging.kinds) {
    const created = new Set(judging.changes.get(kind)?.keys());
    const read = async (urns: readonly Urn[]): Promise<Read> => {
      for (const urn of urns) created.delete(urn);
      return await judging.read(kind, urns);
    };
    for await (const each of oneAhead(pages(kindOf(kind)), read)) await judging.judge(each);
    await judging.judge(await judging.read(kind, [...created]));
  }
  return judging.results();
}

/** Entities of a kind that were read, in this order. */
interface Read {
  readonly question: SubjectQuestion;
  readonly urns: readonly Urn[];
  readonly found: ReadonlyMap<Urn, LiveSubject>;
}

interface Judging {
  /** The kinds that policies match. */
  readonly kinds: ReadonlySet<KindName>;
  /** By kind and URN what changes. */
  readonly changes: ReadonlyMap<KindName, ReadonlyMap<Urn, readonly Change[]>>;
  readonly read: (kind: KindName, urns: readonly Urn[]) => Promise<Read>;
  /** Judges what was read, with their owners, each of whom is read once: so one call ends before the next begins. */
  readonly judge: (read: Read) => Promise<void>;
  readonly results: () => readonly PolicyResult[];
}

function judgingOf(
  { reader, people, known }: Pick<EntitiesToJudge, "reader" | "known"> & { readonly people: PeopleReader },
  toJudge: ToJudge,
  given: PoliciesAtHand,
  options: ReadOptions,
): Judging {
  const { isComing = () => false, deletions = [] } = toJudge;
  const { declaring } = given;
  const { pending } = partitionHeldBack(toJudge);
  const changes = new Map(
    [...groupBy(pending, ({ kind }) => kind)].map(([kind, own]) => [kind, groupBy(own, ({ urn }) => urn)]),
  );
  const judge = policyJudge(given, { base: given.base, day: given.day, sourceOf: sourcesIn(pending) });
  const named = united(given);
  const changesOf = { changes: changesOfPeople([...pending, ...deletions]), isComing };
  const questions = new Map<KindName, SubjectQuestion>();
  const questionOf = (kind: KindName): SubjectQuestion => {
    const question = questions.get(kind) ?? questionFor(kind, named, declaring);
    questions.set(kind, question);
    return question;
  };
  return {
    kinds: new Set(given.policies.map(({ kind }) => kind)),
    changes,
    read: async (kind, urns) => {
      const question = questionOf(kind);
      const { batch, signal } = options;
      return { question, urns, found: await readSubjects(reader, question, urns, { batch, signal, known }) };
    },
    judge: async ({ question, urns, found }) => {
      const own = changes.get(question.kind);
      const pairs = urns.map((urn) =>
        pairOf(urn, found.get(urn), question, { own: own?.get(urn) ?? [], declaring }),
      );
      const owners = question.needs.people ? await peopleFor(people, pairs, changesOf) : noPeople;
      for (const pair of pairs) judge.add(pair, owners);
    },
    results: judge.results,
  };
}

const noPeople: PeoplePair = { live: new Map(), planned: new Map() };

/** All policies and waivers that are judged by: those of base with the id of one at hand as well. */
function united({ policies, waivers, base }: PoliciesAtHand): Policies {
  const ids = new Set(policies.map(({ id }) => id));
  const earlier = (base?.policies ?? []).filter(({ id }) => ids.has(id));
  return { policies: [...policies, ...earlier], waivers: [...waivers, ...(base?.waivers ?? [])] };
}

function pairOf(
  urn: Urn,
  found: LiveSubject | undefined,
  { kind, facets }: SubjectQuestion,
  { own, declaring }: { readonly own: readonly Change[]; readonly declaring: Declaring },
): SubjectPair {
  const { isRemoved = false, ...read } = found ?? {
    asset: plainAsset(urn, kind),
    facets: blankFacets(facets),
  };
  const before = asSubject(read, declaring);
  const live = found && !isRemoved ? before : undefined;
  if (own.length === 0 || live?.isUnread) return { live, planned: live };
  if (own.some(({ action }) => action === "delete")) return { live };
  if (!live && !own.some((change) => change.action === "create" || isRestoring(change))) return {};
  return { live, planned: { ...before, facets: afterChanges(before.facets, own) } };
}

/** The owners of some entities, as they are and as the plan leaves them. */
async function peopleFor(
  read: PeopleReader,
  pairs: readonly SubjectPair[],
  changes: PeopleChanges,
): Promise<PeoplePair> {
  const owners = new Set(pairs.flatMap(({ live, planned }) => [...ownersIn(live), ...ownersIn(planned)]));
  const live = await read(owners);
  return { live, planned: peopleAfter(live, changes, owners) };
}

/** Reads the owners of an entity. */
export async function readOwners(reader: Reader, subject: Subject, options: ReadOptions): Promise<People> {
  return await peopleReader(reader, options)(ownersIn(subject));
}

function ownersIn(subject: Subject | undefined): readonly Urn[] {
  if (!subject) return [];
  return [...subject.facets.keys()].flatMap((facet) =>
    (valuesAt(subject, facet) ?? []).flatMap((value) => ownerOf(facet, value) ?? []),
  );
}

/** Finds the change that causes a violation: one of a facet that the policy names, at the column where it is about one. */
function sourcesIn(
  changes: readonly Change[],
): (policy: CatalogPolicy, judged: Judged) => Origin | undefined {
  const byUrn = groupBy(changes, ({ urn }) => urn);
  return (policy, { urn, column }) => {
    const own = (byUrn.get(urn) ?? []).filter(({ source }) => source !== undefined);
    const named = new Set([
      ...requirementsOf(policy).map(({ facet }) => facet),
      ...conditionsOf(policy).map(({ key }) => key),
    ]);
    const about = own.filter(({ facet }) => facet !== undefined && named.has(facet));
    const atColumn = about.find((change) => columnOf(change) === column);
    const source = (atColumn ?? about[0] ?? own[0])?.source;
    return source && { file: source.file, line: source.line, column: source.column };
  };
}
