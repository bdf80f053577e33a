import type { Facet } from "../../facets/facet.ts";
import { kindOf } from "../../kinds/index.ts";
import type { Policies } from "../../model/catalog-policy.ts";
import type { Live } from "../../model/live.ts";
import type { Asset, Condition, Rule } from "../../model/rule.ts";
import { isRestricted } from "../../model/restricted.ts";
import type { Entity, KindName, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { facetsByStore } from "../../plan/judge/planned.ts";
import { conditionsOf, type Needs, needsOf } from "../../plan/judge/policy.ts";
import type { Subject } from "../../plan/judge/subject.ts";
import { isDeclaredOf } from "../../plan/listing/filter.ts";
import { type Declaring, declaredBy, decidingRules } from "../../plan/rules/declared-by.ts";
import { doesMatch } from "../../plan/rules/match.ts";
import { blankFacets, isRemovedDefinition } from "../../plan/sides/definitions.ts";
import type { Reader } from "../../datahub/client.ts";
import { readAssetsAt } from "../read/assets.ts";
import { anyColumn, type AssetQuestion } from "../read/assets/index-filters.ts";
import { withStoredInColumns } from "../read/column-entities.ts";
import { readLive } from "../read/live-state.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { otherEndsReader, type OtherEndsReader } from "./other-ends.ts";

/** What is read of entities of a kind for some policies. */
export interface SubjectQuestion {
  readonly kind: KindName;
  readonly needs: Needs;
  /** The facets that entities store themselves. */
  readonly facets: readonly Facet[];
  /** The facets that are stored at the other ends of their edges. */
  readonly elsewhere: readonly Facet[];
  /** By what assets are matched. */
  readonly conditions: readonly Condition[];
  /** The rules that decide whether assets are declared, where policies ask for that. */
  readonly rules: readonly Rule[];
}

/** An entity as it is, but whether it is declared. */
export interface LiveSubject extends Omit<Subject, "isDeclared"> {
  /** It is a definition that is soft-deleted: it is not there, and a plan may restore it. */
  readonly isRemoved?: true;
}

/** What policies and waivers need of entities of a kind. */
export function questionFor(
  kind: KindName,
  { policies, waivers }: Policies,
  declaring: Declaring,
): SubjectQuestion {
  const waived = waivers.flatMap(({ conditions, exclusions }) => [...conditions, ...exclusions.flat()]);
  const own = policies.filter((policy) => policy.kind === kind);
  const needs = needsOf(kind, own, waived);
  const keys = new Set(kindOf(kind).matchedBy?.map(({ key }) => key));
  const conditions = [...own.flatMap(conditionsOf), ...waived].filter(({ key }) => keys.has(key));
  const rules = needs.declared ? decidingRules(declaring, kind) : [];
  const { own: facets, elsewhere } = facetsByStore(kind, needs.facets);
  return { kind, needs, facets, elsewhere, conditions, rules };
}

/** What was read of entities before, and need not be read again. */
export interface KnownEntities {
  /** With all that the question asks of assets. */
  readonly assets?: ReadonlyMap<Urn, Asset>;
  /** With some facets: each entity that has all that the question names is not asked for. */
  readonly state?: State;
}

/** How subjects are read. */
interface SubjectOptions extends Omit<ReadOptions, "onProgress"> {
  readonly known?: KnownEntities | undefined;
  /** Reads what is stored at the other ends of edges; keeps what it read, where entities are read in several calls. */
  readonly otherEnds?: OtherEndsReader;
}

/**
 * Reads entities as policies judge them. Those that are not there are left out; what could not be read is marked.
 * Throws `CatalogError` where the server cannot be asked, and the reason of a signal.
 */
export async function readSubjects(
  reader: Reader,
  question: SubjectQuestion,
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
        return [[urn, { asset, facets, ...removalOf(read) }]];
      }
      // It is not there, or vanished while it was read.
      if (!read && !unreadable.has(urn)) return [];
      const unread = { asset: plainAsset(urn, question.kind), isUnread: true, facets: new Map() } as const;
      return [[urn, { ...unread, ...(isRestricted(unreadable.get(urn) ?? "") && { isRestricted: true }) }]];
    }),
  );
}

function removalOf(read: Entity): Pick<LiveSubject, "isRemoved"> {
  return isRemovedDefinition(read) ? { isRemoved: true } : {};
}

/** Facets that were asked for: what was read beside them may be incomplete. */
function onlyOf({ facets }: Entity, wanted: Entity["facets"]): Entity["facets"] {
  return new Map([...facets].filter(([name]) => wanted.has(name)));
}

/** An entity of which no more than its URN is known. */
export function plainAsset(urn: Urn, kind: KindName): Asset {
  return { urn, kind, containers: [], subtypes: [] };
}

/** What was read of an entity, and whether it is declared. */
export function asSubject(read: Omit<Subject, "isDeclared">, declaring: Declaring): Subject {
  return { ...read, isDeclared: isDeclaredOf({ declaredBy: declaredBy(read.asset, declaring) }) };
}

/** By URN what policies match by, of assets; of definitions no more than the URN. Those that cannot be read are left out. */
async function readFacts(
  reader: Reader,
  question: SubjectQuestion,
  urns: readonly Urn[],
  { known, otherEnds: _, ...options }: SubjectOptions,
): Promise<ReadonlyMap<Urn, Asset>> {
  const kind = kindOf(question.kind);
  if (!kind.matchedBy) return new Map(urns.map((urn) => [urn, plainAsset(urn, kind.name)]));
  const assets = known?.assets ?? new Map<Urn, Asset>();
  const unread = urns.filter((urn) => !assets.has(urn));
  const questions = factsQuestions(question);
  const asked = { kind, urns: unread };
  const read = await readAssetsAt(reader, asked, questions, { ...options, holds: doesMatch });
  return new Map([...assets, ...read.assets.map((asset) => [asset.urn, asset] as const)]);
}

/** What a question asks of assets beside their facets. */
export function factsQuestions({
  kind,
  conditions,
  needs,
  rules,
}: SubjectQuestion): readonly AssetQuestion[] {
  const all = { kind, conditions: [], exclusions: [] };
  return [
    { ...all, conditions, columns: [] },
    ...(needs.columns ? [{ ...all, columns: [anyColumn] }] : []),
    ...rules,
  ];
}

async function readFacets(
  reader: Reader,
  { kind, facets }: SubjectQuestion,
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

/** Whether what was read of a facet does not depend on what was declared of it. */
function isComplete(facet: Facet): boolean {
  return facet.shape !== "map" || (!facet.definitions && !facet.storedInColumns);
}
