import fc from "fast-check";
import type { Facet } from "../../src/facets/facet.ts";
import {
  type EdgeSet,
  edgeSetOf,
  edgeSetOfInverse,
  edgeSets,
  facetNamed,
  facetsOf,
} from "../../src/facets/index.ts";
import { definitionKinds, isDefinitionKind, kindOf } from "../../src/kinds/index.ts";
import type { Change } from "../../src/model/change.ts";
import type { Live } from "../../src/model/live.ts";
import { type KnownEdges, type Memberships, noEdges, noMemberships } from "../../src/model/membership.ts";
import type { Origin } from "../../src/model/origin.ts";
import { type Path, valueFrom } from "../../src/model/place.ts";
import type { Plan, Shard } from "../../src/model/plan.ts";
import { type IgnoreRule, type Mode, modes as allModes, type Modes } from "../../src/model/settings.ts";
import {
  type Entity,
  type FacetValue,
  isMember,
  type KindName,
  type Leaf,
  type Member,
  type Scalar,
  scalarOf,
  setOf,
  type State,
} from "../../src/model/state.ts";
import { keyOf, type Urn } from "../../src/model/urn.ts";
import type { Limits } from "../../src/plan/checks/guards/index.ts";
import { entitiesToRead } from "../../src/plan/base/group-lists.ts";
import { withoutSoftlyPruned } from "../../src/sync/read/deletable.ts";
import { pendingIn } from "../../src/model/held-back.ts";
import { ignoring } from "../../src/plan/base/ignore.ts";
import { inSyncFilter } from "../../src/plan/in-sync.ts";
import { chunks } from "../../src/model/group-by.ts";
import { compareStates } from "../support/compare-states.ts";
import { prunable } from "../../src/plan/align/prune.ts";
import type { Policy, OnConflict } from "../../src/plan/base/policy.ts";
import { isInShard, shardOf } from "../../src/plan/shard.ts";
import { type Narrowing, narrowedBy, withoutEntities } from "../../src/plan/align/select.ts";
import { ScopeError } from "../../src/workflow/scope/errors.ts";
import { selectedOf } from "../../src/workflow/scope/selection.ts";
import { limits } from "../support/limits.ts";
import { applied, datasetNamed, header, memberships, urn, withGroups } from "../support/states.ts";
import {
  castFrom,
  declarable,
  type Draw,
  drawsFor,
  type EdgeCast,
  edgeCasts,
  type Identity,
  managed,
  poolOf,
  stranger,
  strangersOf,
} from "./cast.ts";
import { pathsOf, shapeAt } from "../support/values.ts";
import { makePlan } from "./saved.ts";

/** What manifests declare. */
export interface Declared {
  readonly state: State;
}

/**
 * What manifests declare now and declared before, what the catalog holds, and the rules: three states that know of
 * each other, so that each element of each facet is declared, was declared and is there in every combination.
 */
export interface World {
  readonly desired: Declared;
  /** `undefined` where nobody knows what was declared before. */
  readonly base: Declared | undefined;
  /** Every entity of the catalog with every facet; who is in a group is said by `groupsOf` alone. */
  readonly live: State;
  readonly groupsOf: ReadonlyMap<Urn, ReadonlySet<Urn>>;
  readonly external: ReadonlySet<Urn>;
  readonly modes: Modes;
  readonly ignore: readonly IgnoreRule[];
  readonly prune: ReadonlySet<KindName> | undefined;
  readonly pruneAssignments?: Policy["pruneAssignments"];
  readonly limits: Limits;
  /** What values name and nobody declares. It is always there. */
  readonly strangers: readonly Identity[];
}

/** The columns that manifests name; of the second dataset the last one is not there. */
const columns = ["id", "email", "amount"];

const drawnBits = 17;

function drawOf(bits: number): Draw {
  let rest = bits;
  return (width) => {
    const value = rest & ((1 << width) - 1);
    rest >>= width;
    return value;
  };
}

/** So many modes of a world are in one number. */
const modesInDraw = 8;

const beside = 4 + Math.ceil(managed.length / modesInDraw);
const allDraws = declarable.reduce(
  (sum, identity) => sum + drawsFor(identity),
  beside + edgeCasts.reduce((sum, { members }) => sum + 2 * members.length, 0),
);

const valuePatterns = [
  "urn:li:tag:1",
  "urn:li:tag:*",
  "urn:li:domain:*",
  "urn:li:corpuser:2",
  "urn:li:corpuser:*",
  "*:x",
  "*data_steward",
  "urn:li:glossary*:1",
  "Finance",
  "*1*",
];
const urnPatterns = [
  datasetNamed("a"),
  "urn:li:dataset:*",
  "*:1",
  "urn:li:tag:*",
  "urn:li:corpuser:1",
  "urn:li:corpGroup:2",
  "urn:li:corpGroup:*",
  "urn:li:glossaryTerm:*",
];

/** One rule of what is left alone: of a facet, of values, of entities. */
export const ignoreRules: fc.Arbitrary<IgnoreRule> = fc
  .record({
    facet: fc.option(fc.constantFrom(...managed.filter((name) => !edgeSetOfInverse(name))), {
      nil: undefined,
    }),
    value: fc.option(fc.constantFrom(...valuePatterns), { nil: undefined, freq: 2 }),
    urn: fc.option(fc.constantFrom(...urnPatterns), { nil: undefined, freq: 1 }),
  })
  .map(({ facet, value, urn: of }) => ({
    ...(facet !== undefined && { facet }),
    ...(value !== undefined && { value }),
    ...(of !== undefined && { urn: of }),
    // A rule that names neither value nor URN is refused with the settings.
    ...(value === undefined && of === undefined && { value: "*:x" }),
    reason: "made up",
  }));

/** Worlds of all kinds and facets. */
export const worlds: fc.Arbitrary<World> = fc
  .record({
    // Without the bias towards small numbers, which are worlds with little in them.
    draws: fc.noBias(fc.array(fc.nat((1 << drawnBits) - 1), { minLength: allDraws, maxLength: allDraws })),
    ignore: fc.oneof(fc.constant([]), fc.array(ignoreRules, { maxLength: 3 })),
    limits,
  })
  .map(({ draws, ignore, limits: drawn }) => worldOf(draws, ignore, drawn));

/** What is drawn of an entity itself. */
interface Entry {
  readonly declared: boolean;
  readonly before: boolean;
  readonly there: boolean;
  readonly removed: boolean;
  readonly external: boolean;
}

interface Facets {
  readonly want: Map<string, FacetValue>;
  readonly before: Map<string, FacetValue>;
  readonly have: Map<string, FacetValue>;
  readonly manage: Record<string, Mode>;
}

function worldOf(numbers: readonly number[], ignore: readonly IgnoreRule[], drawn: Limits): World {
  let at = 0;
  const next = (): Draw => drawOf(numbers[at++] ?? 0);
  const first = next();
  const [isBaseKnown, turn] = [first(2) !== 3, first(2)];
  const cast = castFrom(next());
  const modes: Modes = Object.assign(
    {},
    ...chunks(managed, modesInDraw).map((some) => modesFrom(next(), some)),
  );
  const prune = pruneFrom(next());
  const entries = new Map(cast.map((identity) => [identity.urn, entryFrom(next(), identity)]));
  const mayRefer = (value: Member | Scalar): boolean => isStanding(value, entries);
  const [desired, base, live] = [new Map<Urn, Entity>(), new Map<Urn, Entity>(), new Map<Urn, Entity>()];
  const listing = { now: new Set<Urn>(), before: new Set<Urn>() };
  for (const identity of cast) {
    const { urn: of, kind } = identity;
    const entry = entries.get(of) as Entry;
    const found = facetsFrom(next, { identity, entry, turn, mayRefer });
    for (const { inverse, inverseKinds } of edgeSets) {
      if (!inverseKinds.some(({ name }) => name === kind)) continue;
      const draw = next();
      if (draw(1) === 1 && entry.declared) listing.now.add(of);
      if (draw(1) === 1 && entry.before) listing.before.add(of);
      Object.assign(found.manage, modeFrom(draw(3), inverse));
    }
    const origin = { file: `catalog/${of}.yaml`, line: 1, column: 1 };
    const { want, before, have, manage } = found;
    if (entry.declared) desired.set(of, { urn: of, kind, facets: want, manage, origin });
    if (entry.before)
      base.set(of, { urn: of, kind, facets: before, origin: { ...origin, file: `catalog/old/${of}.yaml` } });
    if (entry.there) live.set(of, { urn: of, kind, facets: have });
  }
  const drawnEdges = edgeCasts.flatMap((of) => edgesIn(next, of, entries));
  for (const { edges, groups } of edgeCasts) {
    for (const group of groups) {
      const inside = (side: keyof Edge): readonly Urn[] =>
        drawnEdges.filter((each) => each.in.get(group)?.[side]).map(({ member }) => member);
      setMembers(desired, { of: group, facet: edges.facet }, inside("want"));
      setMembers(base, { of: group, facet: edges.facet }, inside("before"));
    }
  }
  const withLists = (state: State, side: "want" | "before", listers: ReadonlySet<Urn>): State =>
    edgeSets.reduce((all, { facet, inverse }) => {
      const own = drawnEdges.filter(({ edges, member }) => edges.facet === facet && listers.has(member));
      const lists = own.map(({ member, in: edgesOf }) => {
        const list = [...edgesOf].flatMap(([group, edge]) => (edge[side] ? [group] : []));
        return [member, { origin: originOf(member, inverse), groups: new Set(list) }] as const;
      });
      return withGroups(all, new Map(lists), inverse);
    }, state);
  return shownBriefly({
    desired: { state: withLists(desired, "want", listing.now) },
    base: isBaseKnown ? { state: withLists(base, "before", listing.before) } : undefined,
    live,
    groupsOf: new Map(
      drawnEdges.map(({ member, in: edgesOf }) => [
        member,
        new Set([...edgesOf].flatMap(([group, { have }]) => (have ? [group] : []))),
      ]),
    ),
    external: new Set([...entries].flatMap(([of, { external }]) => (external ? [of] : []))),
    modes,
    ignore,
    prune,
    limits: drawn,
    strangers: strangersOf(cast),
  });
}

/** A world that a counterexample shows in brief: of live entities what they hold. */
function shownBriefly(world: World): World {
  const { desired, base, live, groupsOf, external, prune, strangers: _, ...rest } = world;
  const text = (): string =>
    JSON.stringify(
      {
        desired: briefState(desired.state),
        base: base && briefState(base.state),
        live: briefState(live),
        groupsOf: Object.fromEntries([...groupsOf].map(([user, those]) => [user, [...those].join(" ")])),
        external: [...external].join(" "),
        prune: prune && [...prune].join(" "),
        ...rest,
      },
      null,
      1,
    );
  return Object.assign({ ...world }, { [fc.toStringMethod]: text });
}

function briefState(state: State): unknown {
  return Object.fromEntries(
    [...state].map(([of, { facets, manage }]) => [
      of,
      [...facets].flatMap(briefFacet).join("; ") + (manage ? ` manage ${JSON.stringify(manage)}` : ""),
    ]),
  );
}

function briefFacet([name, value]: readonly [string, FacetValue]): readonly string[] {
  if (value.shape === "map")
    return [...value.entries].flatMap(([column, entry]) => briefFacet([`${name} ${column}`, entry]));
  return [`${name} ${JSON.stringify(value.shape === "set" ? value.members : value.value)}`];
}

function modesFrom(draw: Draw, facets: readonly string[]): Modes {
  return Object.fromEntries(facets.flatMap((facet) => Object.entries(modeFrom(draw(2) + 4, facet))));
}

/** Of eight numbers three stand for a mode. */
function modeFrom(drawn: number, facet: string): Readonly<Record<string, Mode>> {
  const mode = drawn < 5 ? undefined : allModes[drawn - 5];
  return mode ? { [facet]: mode } : {};
}

function pruneFrom(draw: Draw): ReadonlySet<KindName> | undefined {
  const asked = draw(1) === 1;
  const kinds = definitionKinds.filter(() => draw(1) === 1);
  return asked ? new Set(kinds.map(({ name }) => name)) : undefined;
}

function entryFrom(draw: Draw, { kind }: Identity): Entry {
  const [declared, before] = [draw(1) === 1, draw(1) === 1];
  const there = isDefinitionKind(kind) ? draw(2) !== 3 : draw(3) !== 7;
  // A definition that a prune has soft-deleted is gone: a world after such a plan has one.
  const removed = draw(2) === 3 && (declared || !isSoft({ kind }));
  return {
    declared,
    before,
    there,
    removed,
    external: kind === memberships.kind.name && there && draw(2) === 3,
  };
}

/** What is declared refers to nothing that a manifest could declare and does not: that might be pruned. */
function isStanding(value: Member | Scalar, entries: ReadonlyMap<Urn, Entry>): boolean {
  const text = typeof value === "object" && value !== null ? value["owner"] : value;
  return entries.get(text as Urn)?.declared !== false;
}

/** What the facets of an entity are drawn for. */
interface Drawing {
  readonly identity: Identity;
  readonly entry: Entry;
  readonly turn: number;
  readonly mayRefer: (value: Member | Scalar) => boolean;
}

function facetsFrom(next: () => Draw, { identity, entry, turn, mayRefer }: Drawing): Facets {
  const found: Facets = { want: new Map(), before: new Map(), have: new Map(), manage: {} };
  for (const facet of facetsOf(identity.kind)) {
    const { name } = facet;
    const pool = poolOf(turn, identity, facet);
    if (pool.length === 0) {
      found.have.set(name, name === "removed" ? scalarOf(entry.removed) : undrawn(facet, identity));
      continue;
    }
    const draw = next();
    const [isDeclared, wasDeclared] = [draw(1) === 1, draw(1) === 1];
    Object.assign(found.manage, modeFrom(draw(3), name));
    const values: Values = { pool, isSet: facet.set !== undefined, mayRefer };
    const [want, before, have] = sidesOf(next, draw, { facet, identity, values });
    if (isDeclared) found.want.set(name, want);
    if (wasDeclared) found.before.set(name, before);
    found.have.set(name, have);
  }
  // A group that an identity provider owns may not list its members.
  if (entry.external) found.want.delete(memberships.facet);
  return found;
}

/** What a facet holds in the catalog that has no values in a world. */
function undrawn({ shape, blank, implied }: Facet, { urn: of }: Identity): FacetValue {
  if (shape === "map") return { shape, entries: new Map() };
  if (shape === "set") return setOf([]);
  return scalarOf(implied?.for === "new-entity" ? implied.value(keyOf(of)) : blank);
}

/** The values that are drawn, and which of them may be declared. */
interface Values {
  readonly pool: readonly (Member | Scalar)[];
  readonly isSet: boolean;
  readonly mayRefer: (value: Member | Scalar) => boolean;
}

/** What is wanted, was declared before and is there. */
type Sides<Value extends FacetValue = FacetValue> = readonly [Value, Value, Value];

function sidesOf(
  next: () => Draw,
  draw: Draw,
  {
    facet,
    identity,
    values,
  }: { readonly facet: Facet; readonly identity: Identity; readonly values: Values },
): Sides {
  const origin = originOf(identity.urn, facet.name);
  // Who is in a group is drawn for all groups at once.
  if (edgeSetOf(facet.name)) return [setOf([], origin), setOf([]), setOf([])];
  return facet.shape === "map" ? placesFrom(next, identity, facet, values) : leavesFrom(draw, values, origin);
}

function leavesFrom(draw: Draw, values: Values, origin: Origin): Sides<Leaf> {
  return values.isSet ? setsFrom(draw, values, origin) : scalarsFrom(draw, values, origin);
}

function setsFrom(draw: Draw, { pool, mayRefer }: Values, origin: Origin): Sides<Leaf> {
  const bits = pool.filter(isMember).map((member) => ({
    member,
    want: draw(1) === 1 && mayRefer(member),
    before: draw(1) === 1,
    have: draw(1) === 1,
  }));
  const those = (side: "want" | "before" | "have"): Member[] =>
    bits.flatMap((each) => (each[side] ? [each.member] : []));
  return [setOf(those("want"), origin), setOf(those("before")), setOf(those("have"))];
}

function scalarsFrom(draw: Draw, { pool, mayRefer }: Values, origin: Origin): Sides<Leaf> {
  const one = (): Scalar => pool[draw(2) % pool.length] ?? null;
  const want = one();
  return [scalarOf(mayRefer(want) ? want : null, origin), scalarOf(one()), scalarOf(one())];
}

function placesFrom(
  next: () => Draw,
  { urn: of }: Identity,
  facet: Facet,
  { pool, mayRefer }: Values,
): Sides {
  const sides: [Path, Leaf][][] = [[], [], []];
  for (const path of pathsOf(facet)) {
    const draw = next();
    const [first = ""] = path;
    const isGone = of === datasetNamed("b") && first === columns.at(-1);
    const listed = [draw(1) === 1, draw(1) === 1, !isGone];
    const isSet = shapeAt(facet, path) === "set";
    const values = { pool: facet.scalar && facet.set ? poolAt(pool, isSet) : pool, isSet, mayRefer };
    const leaves = leavesFrom(draw, values, originOf(of, first));
    sides.forEach((side, index) => {
      const leaf = leaves[index];
      if (listed[index] === true && leaf) side.push([path, leaf]);
    });
  }
  const [want = [], before = [], have = []] = sides;
  const mapOf = (leaves: readonly [Path, Leaf][]): FacetValue =>
    leaves.length > 0 ? valueFrom(leaves) : { shape: "map", entries: new Map() };
  return [mapOf(want), mapOf(before), mapOf(have)];
}

/** Where a map has both shapes, single values are numbers, and those of sets are texts. */
function poolAt(pool: Values["pool"], isSet: boolean): Values["pool"] {
  return pool.filter((value) => (isSet ? typeof value === "string" : typeof value !== "string")).slice(0, 4);
}

function originOf(of: Urn, place: string): Origin {
  return { file: `catalog/${of}.yaml`, line: place.length + 1, column: 3 };
}

interface Edge {
  readonly want: boolean;
  readonly before: boolean;
  readonly have: boolean;
}

interface DrawnEdges {
  readonly edges: EdgeSet;
  readonly member: Urn;
  readonly in: ReadonlyMap<Urn, Edge>;
}

/** The edges of a set between those groups and members that a world has. */
function edgesIn(
  next: () => Draw,
  { edges, groups, members }: EdgeCast,
  entries: ReadonlyMap<Urn, Entry>,
): readonly DrawnEdges[] {
  const own = groups.filter((group) => entries.has(group));
  const inWorld = members.filter((member) => entries.has(member) || member === stranger);
  return inWorld.map((member) => ({
    edges,
    member,
    in: edgesFrom(next(), { edges, member, groups: own }, entries),
  }));
}

// What both sides of an edge declare comes from one bit: a contradiction is refused before there is a plan.
function edgesFrom(
  draw: Draw,
  { edges, member, groups }: Omit<DrawnEdges, "in"> & Pick<EdgeCast, "groups">,
  entries: ReadonlyMap<Urn, Entry>,
): ReadonlyMap<Urn, Edge> {
  const self = entries.get(member);
  return new Map(
    groups.map((group) => {
      const { declared, before, there } = entries.get(group) as Entry;
      const isStandingGroup = declared || (there && !before);
      const want = draw(1) === 1 && self?.declared !== false && isStandingGroup;
      const isStored = edges.storedByMembers ? self?.there !== false : there;
      return [group, { want, before: draw(1) === 1, have: draw(1) === 1 && isStored }];
    }),
  );
}

function setMembers(
  state: Map<Urn, Entity>,
  { of, facet }: { readonly of: Urn; readonly facet: string },
  members: readonly Urn[],
): void {
  const group = state.get(of);
  const listed = group?.facets.get(facet);
  if (!group || listed?.shape !== "set") return;
  const facets = new Map(group.facets).set(facet, setOf(members, listed.origin));
  state.set(of, { ...group, facets });
}

/** What decides about a plan beside what is declared and what is there. */
export function policyOf(world: World, onConflict?: OnConflict): Policy {
  const { modes, prune, pruneAssignments, limits: drawn } = world;
  const ignored = ignoring(world.ignore);
  const base = world.base && withoutEntities(world.base.state, ignored);
  return {
    modes,
    ignored,
    base,
    ...(onConflict && { onConflict }),
    ...(prune && { prune }),
    ...(pruneAssignments && { pruneAssignments }),
    missing: "skip",
    limits: drawn,
  };
}

/** What is declared, without the entities that are left alone. */
export function declaredIn({ desired, ignore }: World): State {
  return withoutEntities(desired.state, ignoring(ignore));
}

/** A part of a world: what was selected, and what a reading of it leaves of a reading of the whole. */
export interface PartOfWorld {
  readonly part: ReadonlySet<Urn>;
  readonly read: (live: Live) => Live;
}

const plans = new WeakMap<World, Plan>();

/** The plan of a world, or of a part of it. Several laws look at the plan of one world, which is made once. */
export function planOf(world: World, onConflict?: OnConflict, of?: PartOfWorld): Plan {
  if (onConflict || of) return planAfresh(world, onConflict, of);
  const plan = plans.get(world) ?? planAfresh(world);
  plans.set(world, plan);
  return plan;
}

/** The plan of a world, or of a part of it, whose assets are read so many at a time. */
export function filteredPlanOf(world: World, batch: number, of?: PartOfWorld): Plan {
  return planAfresh(world, undefined, of, batch);
}

function planAfresh(world: World, onConflict?: OnConflict, of?: PartOfWorld, batch?: number): Plan {
  const policy = { ...policyOf(world, onConflict), ...(of && { part: of.part }) };
  const desired = declaredIn(world);
  const wanted = entitiesToRead(desired, policy.base);
  const whole = liveIn(world, wanted, { desired, policy });
  const read = of ? of.read(whole) : whole;
  const live = batch === undefined ? read : filteredIn(read, desired, policy, batch);
  const comparison = compareStates(desired, live, policy, membershipsIn(world, wanted, live.readUrns));
  return makePlan(header, comparison, policy);
}

/** What a reading leaves that drops assets in sync, so many at a time. */
function filteredIn(live: Live, desired: State, policy: Policy, size: number): Live {
  const { drop, dropped: known } = inSyncFilter(desired, policy);
  const state = new Map<Urn, Entity>();
  const dropped = new Set<Urn>();
  for (const batch of chunks([...live.state], size)) {
    const own = new Map(batch);
    const isOwn = (at: { readonly urn: Urn }): boolean => own.has(at.urn);
    const { unmanaged, several = [] } = live;
    const found = { ...live, state: own, unmanaged: unmanaged.filter(isOwn), several: several.filter(isOwn) };
    const done = drop(found);
    for (const [key, entity] of own) if (!done.has(key)) state.set(key, entity);
    for (const key of done) dropped.add(key);
  }
  const stays = (at: { readonly urn: Urn }): boolean => !dropped.has(at.urn);
  const { unmanaged, several = [] } = live;
  return {
    ...live,
    state,
    unmanaged: unmanaged.filter(stays),
    several: several.filter(stays),
    inSync: known(),
  };
}

/** The plan of a shard of a world, from no more than what a reading of that shard finds. */
export function planOfShard(world: World, shard: Shard, batch?: number): Plan {
  const whole = policyOf(world);
  const desired = declaredIn(world);
  const wanted = entitiesToRead(desired, whole.base);
  const part = new Set([...wanted.keys()].filter((of) => shardOf(of, shard.of) === shard.index));
  const policy = { ...whole, part, shard };
  const all = liveIn(world, wanted, { desired, policy });
  const isWhole = prunable(desired, policy).length > 0;
  const within = <T>(map: ReadonlyMap<Urn, T>): ReadonlyMap<Urn, T> =>
    new Map([...map].filter(([of]) => part.has(of)));
  const read = {
    state: within(all.state),
    missing: within(all.missing),
    readUrns: { has: isInShard(shard, part) },
  };
  const found = isWhole ? all : { ...all, ...read };
  const live = batch === undefined ? found : filteredIn(found, desired, policy, batch);
  const known = isWhole || shard.index === 1 ? membershipsIn(world, wanted) : noEdges;
  const told = { ...header, shard: { ...shard, inputs: `sha256:${"0".repeat(64)}` } };
  return makePlan(told, compareStates(desired, live, policy, known), policy);
}

const some = <Value>(...values: readonly Value[]): fc.Arbitrary<readonly Value[] | undefined> =>
  fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined });

/** What narrows a selection: none, one or several of each. */
export const narrowings: fc.Arbitrary<Narrowing> = fc.record({
  targets: some("*", "urn:li:tag:*", "a", "*1"),
  kinds: some("Dataset", "Domain", "Group"),
  platforms: some("snowflake", "kafka"),
  domains: some(urn("urn:li:domain:1"), urn("urn:li:domain:2")),
});

/** A world, and a selection of what is declared there or was before: any, or one that is narrowed. */
export const worldsInPart: fc.Arbitrary<readonly [World, ReadonlySet<Urn>]> = fc
  .tuple(worlds, fc.subarray(declarable.map((each) => each.urn)), fc.option(narrowings))
  .map(([world, urns, narrowing]) => {
    const states = { now: declaredIn(world), before: policyOf(world).base };
    const known = (of: Urn): boolean => states.now.has(of) || states.before?.has(of) === true;
    const isNarrowed = narrowing && narrowedBy(narrowing);
    if (!isNarrowed) return [world, new Set(urns.filter(known))] as const;
    return [world, narrowedIn(states, narrowing)] as const;
  });

/** What is selected of some states; nothing where that is an error. */
export function narrowedIn(
  states: { readonly now: State; readonly before: State | undefined },
  narrowing: Narrowing,
): ReadonlySet<Urn> {
  try {
    return selectedOf(narrowing, { ...states, matchedBy: () => [] }) ?? new Set();
  } catch (error) {
    if (error instanceof ScopeError) return new Set();
    throw error;
  }
}

/**
 * What a reading of the catalog finds: of each entity that is asked for all, columns and the like only where they are declared, or where
 * the entity is to be deleted. What a prune has soft-deleted is gone, unless it is declared again.
 */
function liveIn(
  world: World,
  wanted: State,
  { desired, policy }: { readonly desired: State; readonly policy: Policy },
): Live {
  const gone = new Set(prunable(desired, policy).map(({ urn: of }) => of));
  const state = new Map<Urn, Entity>();
  const missing = new Map<Urn, "absent">();
  const live = withStoredEdges(world);
  for (const { urn: of, facets: declared } of wanted.values()) {
    const there = live.get(of);
    if (!there) {
      missing.set(of, "absent");
      continue;
    }
    const read = [...there.facets].filter(
      ([name]) => !facetNamed(name).readWhenDeclared || declared.has(name) || gone.has(of),
    );
    state.set(of, { ...there, facets: new Map(read) });
  }
  return withoutSoftlyPruned(
    { state, missing, unreadable: new Map(), unmanaged: [] },
    (of) => !desired.has(of),
  );
}

/** Live state with the edges that groups store. */
export function withStoredEdges({ live, groupsOf }: Pick<World, "live" | "groupsOf">): State {
  const state = new Map(live);
  for (const { edges, groups } of edgeCasts) {
    for (const group of edges.storedByMembers ? [] : groups) {
      const entity = state.get(group);
      const inside = [...groupsOf].flatMap(([member, those]) => (those.has(group) ? [member] : []));
      if (entity)
        state.set(group, { ...entity, facets: new Map(entity.facets).set(edges.facet, setOf(inside)) });
    }
  }
  return state;
}

/** Who is in which group, of what is asked for. */
function membershipsIn(world: World, wanted: State, looked?: Live["readUrns"]): KnownEdges {
  return new Map(
    edgeCasts.map((of) => [of.edges.facet, { ...noMemberships, ...knownOf(of, world, { wanted, looked }) }]),
  );
}

/** Asked for are the members that list groups or are listed, or are in a listed group; where groups store edges, the groups. */
function knownOf(
  { edges: { facet, inverse, kind, storedByMembers }, groups }: EdgeCast,
  { live, groupsOf, external, desired }: World,
  { wanted, looked }: { readonly wanted: State; readonly looked: Live["readUrns"] | undefined },
): Omit<Memberships, "unreadable"> {
  const wasRead = (of: Urn): boolean => looked === undefined || looked.has(of);
  const lists = new Map<Urn, readonly Urn[]>();
  for (const { urn: member, facets } of wanted.values()) {
    if (!wasRead(member)) continue;
    const list = facets.get(inverse);
    if (list?.shape === "set") lists.set(member, list.members as readonly Urn[]);
  }
  const listing = [...wanted.values()].filter((each) =>
    looked === undefined ? each.facets.has(facet) : each.kind === kind.name && looked.has(each.urn),
  );
  const asked = new Set<Urn>(lists.keys());
  for (const { urn: group, facets } of listing) {
    const listed = facets.get(facet);
    for (const member of listed?.shape === "set" ? listed.members : []) asked.add(member as Urn);
    for (const [member, those] of groupsOf) if (those.has(group)) asked.add(member);
  }
  const known = new Map([...asked].map((member) => [member, groupsOf.get(member) ?? new Set<Urn>()]));
  const askedGroups = new Set<Urn>(listing.map((group) => group.urn));
  for (const [member, list] of lists) {
    for (const group of [...list, ...(known.get(member) ?? [])]) askedGroups.add(group);
  }
  const isAll = storedByMembers !== undefined || lists.size > 0;
  const all = new Map([...groupsOf].filter(([, those]) => groups.some((group) => those.has(group))));
  const ofAsked = new Map(
    [...all].map(([member, those]) => [
      member,
      new Set([...those].filter((group) => askedGroups.has(group))),
    ]),
  );
  return {
    groupsOf: storedByMembers ? known : isAll ? all : ofAsked,
    external: new Set([...askedGroups].filter((group) => external.has(group))),
    missing: new Set([...askedGroups].filter((group) => !live.has(group))),
    ...(!storedByMembers && {
      absent: new Set([...wanted.keys()].filter((of) => desired.state.has(of) && !live.has(of))),
    }),
  };
}

/**
 * The world after a plan has been carried out, without what a conflict holds back: memberships are kept by the users,
 * and what is deleted takes with it all that refers to it. Written for tests, apart from the product's own code.
 */
export function after(world: World, plan: Plan): World {
  const pending = pendingIn(plan.changes);
  const created = pending.flatMap(({ action, kind, urn: of }): readonly Change[] =>
    action === "create" ? [{ action, shape: "entity", kind, urn: of, fingerprint: "" }] : [],
  );
  const deletions = pending.filter(({ action }) => action === "delete");
  const softly = new Set(deletions.filter(isSoft));
  const deleted = new Set(deletions.flatMap((change) => (softly.has(change) ? [] : [change.urn])));
  const written = new Map(
    applied(
      world.live,
      [...created, ...pending].filter(
        (change) => !softly.has(change) && (change.facet === undefined || !edgeSetOf(change.facet)),
      ),
    ),
  );
  for (const { urn: of } of softly) {
    const entity = written.get(of);
    if (entity) written.set(of, { ...entity, facets: new Map(entity.facets).set("removed", scalarOf(true)) });
  }
  const live = new Map<Urn, Entity>();
  for (const [of, entity] of written) live.set(of, completed(left(entity, deleted)));
  const groupsOf = new Map<Urn, Set<Urn>>();
  for (const [user, those] of world.groupsOf) groupsOf.set(user, new Set(those));
  for (const change of pending) {
    if (change.facet === undefined || !edgeSetOf(change.facet) || !("add" in change)) continue;
    for (const member of change.remove) groupsOf.get(member as Urn)?.delete(change.urn);
    for (const member of change.add)
      groupsOf.set(member as Urn, (groupsOf.get(member as Urn) ?? new Set()).add(change.urn));
  }
  for (const of of deleted) {
    groupsOf.set(of, new Set());
    for (const those of groupsOf.values()) those.delete(of);
  }
  return { ...world, live, groupsOf };
}

/** Whether a deletion only soft-deletes its entity. */
export function isSoft({ kind }: Pick<Entity, "kind">): boolean {
  const { deletion } = kindOf(kind);
  return deletion !== undefined && deletion.mutation === undefined;
}

/** What comes into being has what its aspects require, such as a name. */
function completed(entity: Entity): Entity {
  const kind = kindOf(entity.kind);
  const aspects = kind.initial(keyOf(entity.urn));
  const facetsNow = new Map(entity.facets);
  for (const [name, [aspect, field, unset]] of Object.entries(kind.storage)) {
    const value = facetsNow.get(name);
    const given = aspects[aspect]?.[field] ?? null;
    if (value?.shape !== "scalar" || value.value !== null || given === unset) continue;
    facetsNow.set(name, scalarOf(given as Scalar));
  }
  return { ...entity, facets: facetsNow };
}

/** Of an entity what is left when others are deleted. */
function left(entity: Entity, deleted: ReadonlySet<Urn>): Entity {
  if (deleted.size === 0) return entity;
  const falls = (value: Member | Scalar): boolean =>
    (typeof value === "object" && value !== null ? Object.values(value) : [value]).some((text) =>
      deleted.has(text as Urn),
    );
  const leftOf = (value: FacetValue): FacetValue => {
    if (value.shape === "set") return setOf(value.members.filter((member) => !falls(member)));
    if (value.shape === "scalar") return falls(value.value) ? scalarOf(null) : value;
    return {
      shape: "map",
      entries: new Map(
        [...value.entries].flatMap(([key, below]) => (falls(key) ? [] : [[key, leftOf(below)] as const])),
      ),
    };
  };
  return { ...entity, facets: new Map([...entity.facets].map(([name, value]) => [name, leftOf(value)])) };
}
