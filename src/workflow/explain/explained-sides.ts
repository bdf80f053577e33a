/** Reads the live state of an entity to explain, and compares it with the entity's declarations in documents and rules. */

import { urnOf } from "../../model/packed-declarations.ts";
import type { Reader } from "../../datahub/client.ts";
import { readAsset } from "../../sync/read/assets.ts";
import { readCatalog } from "../../sync/read/catalog.ts";
import { facetsToReadInColumns, readAllFacets } from "../../sync/read/definitions.ts";
import { readGroupsOfMember } from "../../sync/read/edges.ts";
import type { ReadOptions } from "../../sync/read/read-batches.ts";
import type { BothSides, Decisions, ModePlace } from "../../plan/explain/explained-facets.ts";
import { endsOf, withEdges } from "../../plan/explain/other-end.ts";
import { edgeSets } from "../../facets/index.ts";
import { isDefinitionKind, kindOfUrn } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import { isFacetChange } from "../../model/change.ts";
import type { Live } from "../../model/live.ts";
import { type PlanProblem, type Problem, sortProblems } from "../../model/problem.ts";
import type { Asset, Rule } from "../../model/rule.ts";
import { type OwnModes, type Entity, stateOver } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { compareWithRuns, type ReadPastRuns } from "../../sync/past-runs.ts";
import { namesIn } from "../../plan/notes/names.ts";
import { setAt } from "../../plan/base/values.ts";
import type { Policy } from "../../plan/base/policy.ts";
import { prepareDiff, withShapesOf } from "../../plan/align/prepare-diff.ts";
import { ruleProblems } from "../../plan/rules/problems.ts";
import { rulesOf } from "../../plan/rules/declared-by.ts";
import { expandAll } from "../../plan/rules/expand-all.ts";
import { declaringIn, type Scope } from "../scope/scope.ts";
import { membersFromRules, unreadMembers } from "./members-from-rules.ts";
import type { Desired } from "../../plan/base/catalog.ts";

/** An entity's live state and its declared state. */
export interface EntitySides extends ComparedSides {
  readonly kind: Kind;
  /** The entity as an asset. Present only for kinds that rules can match. */
  readonly asset: Asset | undefined;
  /** The documents that declare values for the entity. */
  readonly documents: readonly Entity[];
}

/** The live and declared state of an entity, and related problems and display names. */
interface ComparedSides {
  readonly sides: BothSides;
  readonly problems: readonly PlanProblem[];
  /** The known display names. */
  readonly names: ReadonlyMap<Urn, string>;
}

/** The entity to explain. */
export interface ExplainQuery {
  readonly urn: Urn;
  readonly column?: string | undefined;
  /**
   * Whether the reader can list definitions. A snapshot contains only entities that were declared or matched when it was taken.
   */
  readonly canDiscover: boolean;
  /** Reads the writes of earlier applies, if they are known. They show which values other writers keep resetting. */
  readonly pastRuns?: ReadPastRuns | undefined;
}

/**
 * Reads an entity and compares it with its declarations. If the entity is not in the catalog, returns the reason. Throws
 * `CatalogError` if the entity cannot be read.
 */
export async function readSides(
  scope: Scope,
  reader: Reader,
  { urn, column, canDiscover, pastRuns }: ExplainQuery,
  options: ReadOptions,
): Promise<EntitySides | "absent" | "soft-deleted"> {
  const kind = kindOfUrn(urn);
  if (!kind) throw new TypeError(`the entity type of ${urn} is not supported`);
  const { state, rules: all, declarations } = scope.desired;
  const declared = { entities: [state.get(urn)], rules: all };
  const inColumns = await facetsToReadInColumns(canDiscover ? reader : undefined, declared, options);
  const live = await readAllFacets(reader, [urn], inColumns, options);
  const unreadable = live.unreadable.get(urn);
  if (unreadable !== undefined) throw new CatalogError("answer", `could not read ${urn}: ${unreadable}`);
  const isDeclared = state.has(urn);
  const missing = live.missing.get(urn);
  if (missing && !(isDeclared && isDefinitionKind(kind.name))) return missing;
  const columns = column !== undefined || all.some((rule) => rule.columns.length > 0);
  const asset = kind.matching ? await readAsset(reader, { kind, urn, columns }, options) : undefined;
  const rules = asset ? rulesOf(asset, declaringIn(scope)) : [];
  const documents = declarations.filter((each) => urnOf(each) === urn).map(({ entity }) => entity);
  const decisions = decisionsOf(scope.policy, documents, rules);
  const read = { reader, kind, urn, asset, live, decisions, options, pastRuns };
  const hasMore = isDeclared || rules.length > 0 || endsOf(kind.name).length > 0;
  const compared = hasMore ? await comparedSides(scope, read) : undeclaredSides(scope, read);
  return { kind, asset, documents, ...compared };
}

interface ReadEntity {
  readonly reader: Reader;
  readonly kind: Kind;
  readonly urn: Urn;
  readonly asset: Asset | undefined;
  /** The entity with all its facets. */
  readonly live: Live;
  readonly decisions: Decisions;
  readonly options: ReadOptions;
  readonly pastRuns: ReadPastRuns | undefined;
}

function undeclaredSides(scope: Scope, { kind, urn, live, decisions }: ReadEntity): ComparedSides {
  const desired: Entity = { urn, kind: kind.name, facets: new Map() };
  const sides = { ...decisions, desired, live: live.state.get(urn), changes: [] };
  return { sides, problems: [], names: namesIn(scope.desired.state, live.state) };
}

async function comparedSides(
  scope: Scope,
  { reader, urn, kind, asset, live: own, decisions, options, pastRuns }: ReadEntity,
): Promise<ComparedSides> {
  const bare: Entity = { urn, kind: kind.name, facets: new Map() };
  const groups = await groupsDeciding(scope, reader, { urn, kind }, options);
  const members = await membersFromRules(scope, reader, kind, options);
  const assets = asset ? [asset] : members.assets;
  const {
    desired: declared,
    policy,
    clashes,
  } = withRules(scope, [urn, ...groups], { assets, unreadable: members.unreadable.keys() });
  const desired = withEntity(declared, bare);
  const catalog = await readCatalog(reader, desired, policy, options);
  // The comparison expects each value in the shape of its declaration, even if the definition does not allow that shape.
  const shaped = withShapesOf(withShapesOf(own.state, desired.state), catalog.live.state);
  const live: Live = { ...catalog.live, state: new Map([...catalog.live.state, ...shaped]) };
  const { changes, problems } = await compareWithRuns(desired, { ...catalog, live }, policy, pastRuns);
  const sides = prepareDiff(desired.state, live, catalog.edges, policy);
  const both = {
    ...decisions,
    desired: sides.desired.get(urn) ?? bare,
    live: own.state.has(urn) ? sides.live.get(urn) : undefined,
    changes: changes.filter(isFacetChange).filter((change) => change.urn === urn),
  };
  return {
    sides: withEdges(both, { declared: desired.state, edges: catalog.edges, changes }),
    problems: sortProblems([
      ...problems.filter((each) => !isOf(groups, each)),
      ...clashes,
      ...unreadMembers(members),
    ]),
    names: namesIn(desired.state, live.state),
  };
}

/**
 * Returns the groups that declare an entity as a member, now or in the base, and the declared groups that contain the entity in
 * the catalog. Plans show memberships as changes to groups.
 */
async function groupsDeciding(
  { desired: { state }, policy: { base } }: Scope,
  reader: Reader,
  { urn, kind }: { readonly urn: Urn; readonly kind: Kind },
  options: ReadOptions,
): Promise<readonly Urn[]> {
  const deciding = new Set<Urn>();
  for (const edges of edgeSets.filter(({ inverseKinds }) => inverseKinds.includes(kind))) {
    const { facet } = edges;
    for (const group of await readGroupsOfMember(reader, edges, urn, options))
      if (setAt(state.get(group), facet)) deciding.add(group);
    for (const group of [state, base ?? new Map<Urn, Entity>()].flatMap((each) => [...each.values()]))
      if (setAt(group, facet)?.members.includes(urn)) deciding.add(group.urn);
  }
  return [...deciding];
}

function isOf(urns: readonly Urn[], { args }: Problem): boolean {
  return "urn" in args && urns.some((urn) => urn === args.urn);
}

/** Adds an undeclared entity to the desired state, without facets, so that the comparison includes the entity. */
function withEntity(desired: Desired, bare: Entity): Desired {
  if (desired.state.has(bare.urn)) return desired;
  return { ...desired, state: stateOver(desired.state, new Map([[bare.urn, bare]]), () => bare) };
}

interface WithRules {
  readonly desired: Desired;
  readonly policy: Policy;
  /** Contradictions between rules and documents. */
  readonly clashes: readonly Problem[];
}

/** Adds the values that rules declare for these assets to the declarations from documents, and restricts the policy to `urns`. */
function withRules(
  { desired, policy, rules }: Scope,
  urns: readonly Urn[],
  { assets, unreadable }: { readonly assets: readonly Asset[]; readonly unreadable: Iterable<Urn> },
): WithRules {
  const own = { ...policy, part: new Set(urns), shard: undefined };
  if (!rules) return { desired, policy: own, clashes: [] };
  const expansion = expandAll(rules);
  for (const asset of assets) expansion.add(asset);
  for (const each of unreadable) expansion.addUnread(each);
  const { now, before: base, applied } = expansion.result();
  const clashes = ruleProblems(now, rules.now.rules, own, false);
  return { desired: now, policy: { ...own, base, applied }, clashes };
}

function decisionsOf(
  { modes, ignored }: Policy,
  documents: readonly Entity[],
  rules: readonly Rule[],
): Decisions {
  const modePlaces = [
    ...documents.flatMap((document) => placesOf(document)),
    ...rules.flatMap((rule) => placesOf(rule, rule.id)),
  ];
  return { rules, modes, modePlaces, ignored };
}

function placesOf({ manage = {}, modePlaces = new Map() }: OwnModes, rule?: string): readonly ModePlace[] {
  return [...modePlaces].flatMap(([facet, source]) => {
    const mode = manage[facet];
    return mode === undefined ? [] : [{ facet, mode, source, ...(rule !== undefined && { rule }) }];
  });
}
