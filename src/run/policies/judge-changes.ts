import { kindOf } from "../../kinds/index.ts";
import type { CatalogPolicy, Judged, Policies } from "../../model/catalog-policy.ts";
import type { Change } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Origin } from "../../model/origin.ts";
import type { Asset } from "../../model/rule.ts";
import type { KindName } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { partitionConflicts } from "../../plan/diff/conflicts.ts";
import { afterChanges, blankFacets, ownFacets } from "../../plan/judge/planned.ts";
import { policyJudge, type PeoplePair, type PolicyResult } from "../../plan/judge/judge-policies.ts";
import { conditionsOf, type Needs, needsOf, requirementsOf } from "../../plan/judge/policy.ts";
import { ownerOf, type People, type Subject, valuesAt } from "../../plan/judge/subject.ts";
import { columnOf } from "../../facets/places.ts";
import type { Reader } from "../../datahub/client.ts";
import { readAssetsAt } from "../read/assets.ts";
import { readLive } from "../read/live-state.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { readPeople } from "./people.ts";

/** Policies, waivers, and the day on which they are judged, in UTC. */
export interface PoliciesAtHand extends Policies {
  /** Those of the last applied commit, where it is known. */
  readonly base?: Policies | undefined;
  readonly day: string;
}

/** A plan's changes, and whether something is declared of an entity. */
interface ToJudge {
  readonly changes: readonly Change[];
  readonly isDeclared: (urn: Urn) => boolean;
}

/**
 * Judges what changes, as it is and as it will be. Reads what policies name of it, and nothing else. What cannot be read is
 * unknown; throws `CatalogError` where the server cannot be asked, and the reason of a signal.
 */
export async function judgeChanges(
  reader: Reader,
  { changes, isDeclared }: ToJudge,
  given: PoliciesAtHand,
  options: ReadOptions,
): Promise<readonly PolicyResult[]> {
  const kinds = new Set(given.policies.map(({ kind }) => kind));
  const { pending } = partitionConflicts({ changes });
  const byKind = groupBy(
    pending.filter(({ kind }) => kinds.has(kind)),
    ({ kind }) => kind,
  );
  const sourceOf = sourcesIn(pending);
  const judge = policyJudge(given, { base: given.base, day: given.day, sourceOf });
  const named = united(given);
  for (const [kind, own] of byKind) {
    const needs = needsOf(kind, named.policies, waivedConditions(named));
    const subjects = await readSubjects(
      reader,
      { kind, changes: own, isDeclared, given: named, needs },
      options,
    );
    const people = await peopleFor(reader, subjects, { changes: pending, needs }, options);
    for (const pair of subjects) judge.add(pair, people);
  }
  return judge.results();
}

/** All policies and waivers that are judged by: those of base with the id of one at hand as well. */
function united({ policies, waivers, base }: PoliciesAtHand): Policies {
  const ids = new Set(policies.map(({ id }) => id));
  const earlier = (base?.policies ?? []).filter(({ id }) => ids.has(id));
  return { policies: [...policies, ...earlier], waivers: [...waivers, ...(base?.waivers ?? [])] };
}

function waivedConditions({ waivers }: Policies): ReturnType<typeof conditionsOf> {
  return waivers.flatMap(({ conditions, exclusions }) => [...conditions, ...exclusions.flat()]);
}

interface Asked extends ToJudge {
  readonly kind: KindName;
  readonly given: Policies;
  readonly needs: Needs;
}

interface Pair {
  readonly live?: Subject;
  readonly planned?: Subject;
}

async function readSubjects(
  reader: Reader,
  { kind, changes, isDeclared: declares, given, needs }: Asked,
  { onProgress: _, ...options }: ReadOptions,
): Promise<readonly Pair[]> {
  const byUrn = groupBy(changes, ({ urn }) => urn);
  const urns = [...byUrn.keys()];
  const facets = ownFacets(kind, needs.facets);
  const wanted = blankFacets(facets);
  const state = new Map(urns.map((urn) => [urn, { urn, kind, facets: wanted }]));
  const found = await readLive(reader, state, options);
  const assets = await factsOf(reader, { kind, urns, given, needs }, options);
  return urns.map((urn): Pair => {
    const own = byUrn.get(urn) ?? [];
    const asset = assets.get(urn);
    const read = found.state.get(urn);
    const isDeclared = declares(urn);
    const isUnread = asset === undefined || found.unreadable.has(urn);
    const base = { asset: asset ?? plainAsset(urn, kind), isDeclared };
    if (isUnread && !found.missing.has(urn)) {
      const unread: Subject = { ...base, isUnread: true, facets: new Map() };
      return { live: unread, planned: unread };
    }
    const live = read && { ...base, facets: onlyOf(read.facets, wanted) };
    const before = live?.facets ?? blankFacets(facets);
    if (own.some(({ action }) => action === "delete")) return live ? { live } : {};
    const isPlanned = live !== undefined || own.some(({ action }) => action === "create");
    return {
      ...(live && { live }),
      ...(isPlanned && { planned: { ...base, facets: afterChanges(before, own) } }),
    };
  });
}

/** Facets that were asked for: what was read beside them may be incomplete. */
function onlyOf(facets: Subject["facets"], wanted: ReadonlyMap<string, unknown>): Subject["facets"] {
  return new Map([...facets].filter(([name]) => wanted.has(name)));
}

function plainAsset(urn: Urn, kind: KindName): Asset {
  return { urn, kind, containers: [], subtypes: [] };
}

interface Facts {
  readonly kind: KindName;
  readonly urns: readonly Urn[];
  readonly given: Policies;
  readonly needs: Needs;
}

/** By URN what policies match by, of assets; of definitions no more than the URN. Those that cannot be read are left out. */
async function factsOf(
  reader: Reader,
  { kind: name, urns, given, needs }: Facts,
  options: ReadOptions,
): Promise<ReadonlyMap<Urn, Asset>> {
  const kind = kindOf(name);
  const { matchedBy } = kind;
  if (!matchedBy) return new Map(urns.map((urn) => [urn, plainAsset(urn, name)]));
  const keys = new Set(matchedBy.map(({ key }) => key));
  const all = [...given.policies.flatMap(conditionsOf), ...waivedConditions(given)];
  const conditions = all.filter(({ key }) => keys.has(key));
  const columns = needs.columns ? [{ pattern: "*", facets: new Map(), origin: noOrigin }] : [];
  const question = { kind: name, conditions, exclusions: [], columns };
  const { assets } = await readAssetsAt(reader, { kind, urns }, [question], options);
  return new Map(assets.map((asset) => [asset.urn, asset]));
}

const noOrigin: Origin = { file: "", line: 1, column: 1 };

/** The owners of some entities, as they are; users and groups that the plan creates are there afterwards. */
async function peopleFor(
  reader: Reader,
  pairs: readonly Pair[],
  { changes, needs }: { readonly changes: readonly Change[]; readonly needs: Needs },
  options: ReadOptions,
): Promise<PeoplePair> {
  if (!needs.people) return { live: new Map(), planned: new Map() };
  const owners = new Set(pairs.flatMap(({ live, planned }) => [...ownersIn(live), ...ownersIn(planned)]));
  const live = await readPeople(reader, [...owners], options);
  const planned = new Map(live);
  for (const { action, urn } of changes) {
    const person = live.get(urn);
    if (action === "create" && owners.has(urn)) planned.set(urn, { groups: [], ...person, isActive: true });
    if (action === "delete" && person) planned.set(urn, { ...person, isActive: false });
  }
  return { live, planned } satisfies { readonly live: People; readonly planned: People };
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
