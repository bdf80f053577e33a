/** Determines which facts policies need about entities, and reads entities with these facts. */

import type { Facet } from "../../facets/facet.ts";
import { kindOf } from "../../kinds/index.ts";
import type { Policies } from "../../model/catalog-policy.ts";
import type { Live } from "../../model/live.ts";
import type { Asset, Condition, Rule } from "../../model/rule.ts";
import { isRestricted } from "../../model/restricted.ts";
import type { Entity, KindName, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { facetsByStore } from "../../plan/policies/planned.ts";
import { conditionsOf, type Needs, needsOf } from "../../plan/policies/policy.ts";
import type { Subject } from "../../plan/policies/subject.ts";
import { isDeclaredOf } from "../../plan/listing/filter.ts";
import { type Declaring, declaredBy, decidingRules } from "../../plan/rules/declared-by.ts";
import { doesMatch } from "../../plan/rules/match.ts";
import { blankFacets, isRemovedDefinition } from "../../plan/base/definitions.ts";
import type { Reader } from "../../datahub/client.ts";
import { readAssetsAt } from "../read/assets.ts";
import { anyColumn, type AssetQuestion } from "../read/assets/index-filters.ts";
import { withStoredInColumns } from "../read/column-entities.ts";
import { readLive } from "../read/live-state.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { otherEndsReader, type OtherEndsReader } from "./other-ends.ts";

/** The facts that policies need about the entities of one kind. */
export interface SubjectQuery {
  readonly kind: KindName;
  readonly needs: Needs;
  /** The facets that entities store themselves. */
  readonly facets: readonly Facet[];
  /** The facets that are stored at the other end of an edge. */
  readonly elsewhere: readonly Facet[];
  /** The conditions whose keys must be read from assets. */
  readonly conditions: readonly Condition[];
  /** The rules that determine whether assets are declared. Empty if no policy depends on this. */
  readonly rules: readonly Rule[];
}

/** A live entity, before it is known whether it is declared. */
export interface LiveSubject extends Omit<Subject, "isDeclared"> {
  /** Marks a soft-deleted definition. It counts as missing, but a plan may restore it. */
  readonly isRemoved?: true;
}

/** Returns the facts that policies and waivers need about the entities of a kind. */
export function questionFor(
  kind: KindName,
  { policies, waivers }: Policies,
  declaring: Declaring,
): SubjectQuery {
  const waived = waivers.flatMap(({ conditions, exclusions }) => [...conditions, ...exclusions.flat()]);
  const own = policies.filter((policy) => policy.kind === kind);
  const needs = needsOf(kind, own, waived);
  const keys = new Set(kindOf(kind).matchedBy?.map(({ key }) => key));
  const conditions = [...own.flatMap(conditionsOf), ...waived].filter(({ key }) => keys.has(key));
  const rules = needs.declared ? decidingRules(declaring.rules, kind) : [];
  const { own: facets, elsewhere } = facetsByStore(kind, needs.facets);
  return { kind, needs, facets, elsewhere, conditions, rules };
}

/** Entities that were already read. */
export interface KnownEntities {
  /** Assets with all keys that the query needs. */
  readonly assets?: ReadonlyMap<Urn, Asset>;
  /** Entities with facets. An entity that already has all requested facets is not reread. */
  readonly state?: State | undefined;
}

interface SubjectOptions extends ReadOptions {
  readonly known?: KnownEntities | undefined;
  /** Reads facets that are stored at the other end of edges. Its cache is shared between calls. */
  readonly otherEnds?: OtherEndsReader;
}

/**
 * Reads entities for policies. Leaves out missing entities, and marks unreadable entities. Throws `CatalogError` if a request
 * fails, or the signal's reason if it is aborted.
 */
export async function readSubjects(
  reader: Reader,
  question: SubjectQuery,
  urns: readonly Urn[],
  options: SubjectOptions,
): Promise<ReadonlyMap<Urn, LiveSubject>> {
  const blank = blankFacets(question.facets);
  const { otherEnds = otherEndsReader(reader, options) } = options;
  const [assets, { state, unreadable }, edges] = await Promise.all([
    readFacts(reader, question, urns, options),
    readFacets(reader, question, urns, options),
    otherEnds(question.elsewhere, urns),
  ]);
  return new Map(
    urns.flatMap((urn): readonly (readonly [Urn, LiveSubject])[] => {
      const [asset, read] = [assets.get(urn), state.get(urn)];
      if (asset && read) {
        const facets = new Map([...onlyOf(read, blank), ...(edges.get(urn) ?? [])]);
        return [[urn, { asset, facets, ...(isRemovedDefinition(read) && { isRemoved: true }) }]];
      }
      // The entity is missing, or was deleted while it was being read.
      if (!read && !unreadable.has(urn)) return [];
      const unread = { asset: plainAsset(urn, question.kind), isUnread: true, facets: new Map() } as const;
      return [[urn, { ...unread, ...(isRestricted(unreadable.get(urn) ?? "") && { isRestricted: true }) }]];
    }),
  );
}

/** Returns only the requested facets, because other facets may be incomplete. */
function onlyOf({ facets }: Entity, wanted: Entity["facets"]): Entity["facets"] {
  return new Map([...facets].filter(([name]) => wanted.has(name)));
}

/** Returns an asset with only its URN and kind. */
export function plainAsset(urn: Urn, kind: KindName): Asset {
  return { urn, kind, containers: [], subtypes: [] };
}

/** Determines whether a live entity is declared, and adds the result to the entity. */
export function asSubject(read: Omit<Subject, "isDeclared">, declaring: Declaring): Subject {
  return { ...read, isDeclared: isDeclaredOf({ declaredBy: declaredBy(read.asset, declaring) }) };
}

/** Reads the facts that rules use to match assets. For a definition, the only fact is its URN. Leaves out unreadable assets. */
async function readFacts(
  reader: Reader,
  question: SubjectQuery,
  urns: readonly Urn[],
  { known, otherEnds: _, ...options }: SubjectOptions,
): Promise<ReadonlyMap<Urn, Asset>> {
  const kind = kindOf(question.kind);
  if (!kind.matchedBy) return new Map(urns.map((urn) => [urn, plainAsset(urn, kind.name)]));
  const assets = known?.assets ?? new Map<Urn, Asset>();
  const unread = urns.filter((urn) => !assets.has(urn));
  const questions = assetQuestionsOf(question);
  const toRead = { kind, urns: unread };
  const read = await readAssetsAt(reader, toRead, questions, { ...options, holds: doesMatch });
  return new Map([...assets, ...read.assets.map((asset) => [asset.urn, asset] as const)]);
}

/** Returns the questions that determine which facts to read about assets. Facets are read separately. */
export function assetQuestionsOf({ kind, conditions, needs, rules }: SubjectQuery): readonly AssetQuestion[] {
  const all = { kind, conditions: [], exclusions: [] };
  return [
    { ...all, conditions, columns: [] },
    ...(needs.columns ? [{ ...all, columns: [anyColumn] }] : []),
    ...rules,
  ];
}

async function readFacets(
  reader: Reader,
  { kind, facets }: SubjectQuery,
  urns: readonly Urn[],
  { known, otherEnds: _, ...options }: SubjectOptions,
): Promise<Pick<Live, "state" | "unreadable">> {
  const isKnown = (urn: Urn): boolean => {
    const entity = known?.state?.get(urn);
    return (
      entity !== undefined && facets.every((facet) => isComplete(facet) && entity.facets.has(facet.name))
    );
  };
  const blank = blankFacets(facets);
  const unread = urns.filter((urn) => !isKnown(urn));
  const wanted: State = new Map(unread.map((urn) => [urn, { urn, kind, facets: blank }]));
  const live = await readLive(reader, wanted, options);
  const { state, ...rest } = await withStoredInColumns(reader, live, options);
  const all = new Map(state);
  for (const urn of urns.filter(isKnown)) {
    const entity = known?.state?.get(urn);
    if (entity) all.set(urn, entity);
  }
  return { ...rest, state: all };
}

/** Whether reading the facet returns all its values, not only declared values. */
function isComplete(facet: Facet): boolean {
  return facet.shape !== "map" || (!facet.definitions && !facet.storedInColumns);
}
