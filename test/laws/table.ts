import { leafAt, leavesOf, type Path, pathKey } from "../../src/model/place.ts";
import { type EdgeSet, edgeSetOf, edgeSets, facetsOf, otherEndOf } from "../../src/facets/index.ts";
import { isDefinitionKind } from "../../src/kinds/index.ts";
import type { Change } from "../../src/model/change.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { IgnoreRule, Mode } from "../../src/model/settings.ts";
import {
  type Entity,
  type FacetValue,
  type KindName,
  type Member,
  memberKey,
  type Scalar,
  type ScalarValue,
  type SetValue,
} from "../../src/model/state.ts";
import { entityTypeOf, keyOf, type Urn } from "../../src/model/urn.ts";
import { isSoftDeletedByPrune } from "../../src/plan/base/definitions.ts";
import type { World } from "./worlds.ts";

/** One element of a set that somebody may have declared, as each side has it. */
interface Element {
  readonly mode: Mode;
  readonly desired: boolean;
  readonly live: boolean;
  /** `undefined` where nobody knows. */
  readonly base: boolean | undefined;
  readonly ignored: boolean;
}

/** Whether a plan adds an element: it is declared, not there, and not left alone. */
function isAdded({ desired, live, ignored }: Element): boolean {
  return desired && !live && !ignored;
}

/** Whether a plan removes an element: it is there and not declared, and its mode says that it goes. */
function isRemoved({ mode, desired, live, base, ignored }: Element): boolean {
  if (!live || desired || ignored) return false;
  return mode === "authoritative" || (mode === "merge" && base === true);
}

/** Whether an element is not ours and stays. */
function isKept(element: Element): boolean {
  return element.live && !element.desired && !element.ignored && !isRemoved(element);
}

/** A single value that is declared, as each side has it. */
interface Single {
  readonly mode: Mode;
  readonly desired: Scalar;
  readonly live: Scalar;
  /** `undefined` where base does not declare it or nobody knows. */
  readonly base: Scalar | undefined;
  readonly ignored: boolean;
}

/** Whether a plan sets a single value: `additive` fills only what is empty. */
function isSet({ mode, desired, live, ignored }: Single): boolean {
  return desired !== live && !ignored && (mode !== "additive" || live === null);
}

/** Whether setting it overwrites what somebody else has set. */
function isConflict(single: Single): boolean {
  return isSet(single) && single.mode === "merge" && single.live !== null && single.live !== single.base;
}

/** What a rule covers, a membership from either side: written for tests, apart from the product's own code. */
export function isIgnored(
  rules: readonly IgnoreRule[],
  of: Urn,
  facet: string,
  value: Member | Scalar,
): boolean {
  const otherEnd = otherEndOf(facet);
  return (
    isCovered(rules, of, facet, value) ||
    (otherEnd !== undefined && typeof value === "string" && isCovered(rules, value as Urn, otherEnd, of))
  );
}

function isCovered(rules: readonly IgnoreRule[], of: Urn, facet: string, value: Member | Scalar): boolean {
  const parts = value === null ? [] : typeof value === "object" ? Object.values(value) : [String(value)];
  return rules.some(
    (rule) =>
      (rule.facet === undefined || rule.facet === facet) &&
      fits(rule.urn, of) &&
      (rule.value === undefined || parts.some((text) => fits(rule.value, String(text)))),
  );
}

/** Whether a rule leaves a whole entity alone. */
export function isLeftAlone(rules: readonly IgnoreRule[], of: Urn): boolean {
  return rules.some(
    ({ facet, value, urn }) =>
      facet === undefined && value === undefined && urn !== undefined && fits(urn, of),
  );
}

function fits(pattern: string | undefined, text: string): boolean {
  return pattern === undefined || patternOf(pattern).test(text);
}

const patterns = new Map<string, RegExp>();

function patternOf(pattern: string): RegExp {
  const parts = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const known = patterns.get(pattern) ?? new RegExp(`^${parts.join("[^]*")}$`);
  patterns.set(pattern, known);
  return known;
}

/** What a plan is expected to say, a line each: all that it would write, and all that it names as staying. */
export function expectedLines(world: World): readonly string[] {
  const lines: string[] = [];
  const deleted = deletedIn(world);
  for (const of of deleted) lines.push(`${of} delete`);
  const places = placesIn(world);
  for (const place of places) lines.push(...linesOf(world, place, deleted));
  for (const of of bareIn(world, places)) if (!deleted.has(of)) lines.push(`${of} no-longer-declared`);
  lines.push(...edgeSets.flatMap((set) => edgeLines(set, world, deleted)));
  for (const { urn: of, kind, facets } of world.desired.state.values()) {
    if (isLeftAlone(world.ignore, of) || !isDefinitionKind(kind)) continue;
    const there = world.live.get(of);
    if (!there) lines.push(`${of} create`);
    for (const { name, implied } of there ? [] : facetsOf(kind)) {
      if (implied?.for !== "new-entity" || facets.has(name)) continue;
      const value = implied.value(keyOf(of));
      if (![value, null].some((each) => ignores(world, of, name, each)))
        lines.push(`${of} ${name}: null to ${shown(value)}`);
    }
    const removed = there?.facets.get("removed");
    const isGone = removed?.shape === "scalar" && removed.value === true;
    if (isGone && !ignores(world, of, "removed", true) && !ignores(world, of, "removed", false))
      lines.push(`${of} removed: true to false`);
  }
  return lines.toSorted();
}

function ignores({ ignore }: World, of: Urn, facet: string, value: Member | Scalar): boolean {
  return isIgnored(ignore, of, facet, value);
}

/** The entities that a prune deletes, or soft-deletes. */
export function deletedIn(world: World): ReadonlySet<Urn> {
  const { base, desired, live, prune, ignore } = world;
  const due = [...(base?.state.values() ?? [])].filter(
    ({ urn: of, kind }) =>
      isDefinitionKind(kind) &&
      prune?.has(kind) === true &&
      !desired.state.has(of) &&
      isThere(live.get(of)) &&
      !isLeftAlone(ignore, of),
  );
  return new Set(due.map(({ urn: of }) => of));
}

function isThere(entity: Entity | undefined): boolean {
  return entity !== undefined && !isSoftDeletedByPrune(entity);
}

/** A facet of an entity, or one of its columns, and its value on each side; memberships apart. */
interface Place {
  readonly urn: Urn;
  readonly kind: KindName;
  readonly facet: string;
  readonly name: string;
  readonly mode: Mode;
  readonly isCreated: boolean;
  readonly want: ScalarValue | SetValue | undefined;
  readonly have: ScalarValue | SetValue | undefined;
  readonly before: ScalarValue | SetValue | undefined;
}

function placesIn({ desired, base, live, modes, ignore }: World): readonly Place[] {
  const urns = new Set([...desired.state.keys(), ...(base?.state.keys() ?? [])]);
  return [...urns].flatMap((of) => {
    const sides = [desired.state.get(of), base?.state.get(of), live.get(of)];
    const [now, past, there] = sides;
    const kind = (now ?? past)?.kind ?? "Dataset";
    const isCreated = now !== undefined && !there && isDefinitionKind(kind);
    if (isLeftAlone(ignore, of) || (!there && !isCreated)) return [];
    return facetsOf(kind)
      .filter(({ name }) => !["incomplete", "removed"].includes(name) && otherEndOf(name) === undefined)
      .flatMap(({ name: facet }): readonly Place[] => {
        const values = sides.map((side) => side?.facets.get(facet));
        const mode = now?.manage?.[facet] ?? modes[facet] ?? "authoritative";
        const at = { urn: of, kind, facet, mode, isCreated };
        const paths = values.flatMap((value) => leavesOf(value).map(([path]) => path));
        return [...new Map(paths.map((path) => [pathKey(path), path])).values()].map((path) => {
          const [want, before, have] = values.map((value) => leafAt(value, path));
          return { ...at, name: [facet, ...path].join(" "), want, before, have };
        });
      });
  });
}

function linesOf(world: World, place: Place, deleted: ReadonlySet<Urn>): readonly string[] {
  const { urn: of, facet, name, mode, isCreated, want, have, before } = place;
  const covers = (value: Member | Scalar): boolean => ignores(world, of, facet, value);
  const stays = (value: Member | Scalar, reason: string): string[] =>
    deleted.has(of) || falls(value, deleted) ? [] : [`${of} ${name}: ${reason} ${shown(value)}`];
  // A column that is not there.
  if (!have && !isCreated) return [];
  if (!want) {
    return leftOf(place)
      .filter((value) => !covers(value))
      .flatMap((value) => stays(value, "no-longer-declared"));
  }
  if (want.shape === "scalar") {
    const sides: Single = {
      mode,
      desired: want.value,
      live: have?.shape === "scalar" ? have.value : null,
      base: before?.shape === "scalar" ? before.value : undefined,
      ignored: covers(want.value) || covers(have?.shape === "scalar" ? have.value : null),
    };
    const { desired, live, base, ignored } = sides;
    if (isSet(sides)) {
      const against = isConflict(sides) ? ` against ${shown(base ?? null)}` : "";
      return [`${of} ${name}: ${shown(live)} to ${shown(desired)}${against}`];
    }
    if (desired === live || ignored) return [];
    return stays(live, base === live ? "no-longer-declared" : "other-writer");
  }
  const keys = new Map([want, have, before].flatMap(valuesOf).map((value) => [keyIn(value), value]));
  return [...keys.values()].flatMap((value) => {
    const holds = (side: FacetValue | undefined): boolean =>
      valuesOf(side).some((other) => keyIn(other) === keyIn(value));
    const element: Element = {
      mode,
      desired: holds(want),
      live: holds(have),
      base: world.base ? holds(before) : undefined,
      ignored: covers(value),
    };
    return elementLines(element, `${of} ${name}:`, value, stays);
  });
}

/** The live values that were declared before. */
function leftOf({ have, before }: Place): readonly (Member | Scalar)[] {
  const declared = new Set(valuesOf(before).map(keyIn));
  return valuesOf(have).filter((value) => declared.has(keyIn(value)));
}

/** The live definitions that nobody declares any more and of which no value is left that was declared. */
function bareIn({ base, desired, live, ignore }: World, places: readonly Place[]): readonly Urn[] {
  const left = new Set(
    places.filter((place) => !place.want && leftOf(place).length > 0).map((place) => place.urn),
  );
  return [...(base?.state.values() ?? [])].flatMap(({ urn: of, kind }) =>
    isDefinitionKind(kind) &&
    !desired.state.has(of) &&
    isThere(live.get(of)) &&
    !left.has(of) &&
    !isLeftAlone(ignore, of)
      ? [of]
      : [],
  );
}

function elementLines(
  element: Element,
  at: string,
  value: Member | Scalar,
  stays: (value: Member | Scalar, reason: string) => string[],
): readonly string[] {
  if (isAdded(element)) return [`${at} add ${shown(value)}`];
  if (isRemoved(element)) return [`${at} remove ${shown(value)}`];
  return isKept(element) ? stays(value, element.base === true ? "no-longer-declared" : "other-writer") : [];
}

/** Edges are one set, whichever side declares them. */
function edgeLines(set: EdgeSet, world: World, deleted: ReadonlySet<Urn>): readonly string[] {
  const { desired, base, live, groupsOf, external, ignore } = world;
  const allGroups = new Set(
    [...desired.state.values(), ...(base?.state.values() ?? []), ...live.values()].flatMap((entity) =>
      entity.kind === set.kind.name ? [entity.urn] : [],
    ),
  );
  const types = new Set(set.inverseKinds.map(({ entityType }) => entityType));
  const members = [...groupsOf.keys()].filter((member) => types.has(entityTypeOf(member)));
  const edges = [...allGroups].flatMap((group) => members.map((user) => ({ group, user })));
  return edges.flatMap(({ group, user }) => {
    // An edge to a group that is not there falls by itself.
    const exists = live.has(group) || (desired.state.has(group) && !isLeftAlone(ignore, group));
    const ignored = isIgnored(ignore, group, set.facet, user) || isLeftAlone(ignore, group);
    // The members of a group that is deleted fall with it.
    if (!exists || ignored || deleted.has(group)) return [];
    const byGroup = isListing(world, desired, { of: group, facet: set.facet });
    const byUser = isListing(world, desired, { of: user, facet: set.inverse });
    const at = `${group} ${set.facet}:`;
    const stays = (value: Member | Scalar, reason: string): string[] =>
      deleted.has(group) || falls(value, deleted) ? [] : [`${at} ${reason} ${shown(value)}`];
    const isIn = groupsOf.get(user)?.has(group) === true;
    if (!byGroup && !byUser) {
      const wasDeclared = live.has(group) && isEdge(set, world, base, { group, user });
      return isIn && wasDeclared ? stays(user, external.has(group) ? "external" : "no-longer-declared") : [];
    }
    if (external.has(group)) return isIn ? stays(user, "external") : [];
    // An asset that is declared and not there joins nothing, since no plan makes it.
    const isAsset = set.inverseKinds.every(({ lifecycle }) => lifecycle === "observed");
    const joinsNothing = isAsset && !isIn && !live.has(user);
    const element: Element = {
      mode: modeOfEdge(set, world, group, user),
      desired: !joinsNothing && isEdge(set, world, desired, { group, user }),
      live: isIn,
      base: base ? isEdge(set, world, base, { group, user }) : undefined,
      ignored: false,
    };
    return elementLines(element, at, user, stays);
  });
}

/** Whether a group lists its members, or a member its groups. */
function isListing(
  { ignore }: World,
  side: World["base"],
  { of, facet }: { readonly of: Urn; readonly facet: string },
): boolean {
  return !isLeftAlone(ignore, of) && listed(side, of, facet) !== undefined;
}

/** Whether one side or the other declares an edge. */
function isEdge(
  { facet, inverse }: EdgeSet,
  world: World,
  side: World["base"],
  { group, user }: { readonly group: Urn; readonly user: Urn },
): boolean {
  return (
    (isListing(world, side, { of: group, facet }) && listed(side, group, facet)?.has(user) === true) ||
    (isListing(world, side, { of: user, facet: inverse }) && listed(side, user, inverse)?.has(group) === true)
  );
}

/** A group that lists its members decides for all of them, else each member that lists its groups for itself. */
function modeOfEdge(
  { facet, inverse }: EdgeSet,
  { desired, modes, ignore }: World,
  group: Urn,
  user: Urn,
): Mode {
  const entity = desired.state.get(group);
  if (entity?.facets.has(facet) === true && !isLeftAlone(ignore, group))
    return entity.manage?.[facet] ?? modes[facet] ?? "authoritative";
  const own = desired.state.get(user)?.manage?.[inverse];
  return own ?? modes[inverse] ?? modes[facet] ?? "authoritative";
}

/** The members that list their groups and may be in this one though neither they nor base say so. */
export function othersOf(set: EdgeSet, world: World, group: Urn): readonly Urn[] {
  const { facet, inverse } = set;
  if (isListing(world, world.desired, { of: group, facet })) return [];
  return [...world.desired.state.keys()].filter(
    (user) =>
      isListing(world, world.desired, { of: user, facet: inverse }) &&
      modeOfEdge(set, world, group, user) !== "authoritative" &&
      !isEdge(set, world, world.desired, { group, user }) &&
      !isEdge(set, world, world.base, { group, user }),
  );
}

/** The place of a change. */
interface At {
  readonly urn: Urn;
  readonly facet: string;
  readonly path?: Path;
}

/** The mode by which a plan decides about a value. */
export function modeAt(world: World, { urn: of, facet }: At, value: Member | Scalar): Mode {
  const set = edgeSetOf(facet);
  if (set) return modeOfEdge(set, world, of, value as Urn);
  return world.desired.state.get(of)?.manage?.[facet] ?? world.modes[facet] ?? "authoritative";
}

/** Whether base declares a value. */
export function baseHolds(world: World, { urn: of, facet, path }: At, value: Member | Scalar): boolean {
  const set = edgeSetOf(facet);
  if (set) return isEdge(set, world, world.base, { group: of, user: value as Urn });
  const before = leafAt(world.base?.state.get(of)?.facets.get(facet), path);
  if (before?.shape === "scalar") return before.value === value;
  return valuesOf(before).some((other) => keyIn(other) === keyIn(value));
}

function listed(side: World["base"], of: Urn, facet: string): ReadonlySet<unknown> | undefined {
  const list = side?.state.get(of)?.facets.get(facet);
  return list?.shape === "set" ? new Set(list.members) : undefined;
}

/** Whether a value goes with what is deleted. */
export function falls(value: Member | Scalar, deleted: ReadonlySet<Urn>): boolean {
  const parts = typeof value === "object" && value !== null ? Object.values(value) : [value];
  return parts.some((part) => deleted.has(part as Urn));
}

/** Whether a change fills a single value that fell with what a prune has deleted: until then it was not empty. */
export function fillsWhatFell(world: World, change: Change): boolean {
  if (!("before" in change) || change.before !== null) return false;
  const had = world.live.get(change.urn)?.facets.get(change.facet);
  return had?.shape === "scalar" && falls(had.value, deletedIn(world));
}

/** The values in a scalar or a set; an unset one has none. */
export function valuesOf(value: FacetValue | undefined): readonly (Member | Scalar)[] {
  if (value?.shape === "set") return value.members;
  return value?.shape === "scalar" && value.value !== null ? [value.value] : [];
}

function keyIn(value: Member | Scalar): string {
  return typeof value === "object" && value !== null ? memberKey(value) : String(value);
}

function shown(value: Member | Scalar): string {
  return JSON.stringify(value);
}

/** What a plan says, in the same words. */
export function linesIn({ changes, unmanaged }: Pick<Plan, "changes" | "unmanaged">): readonly string[] {
  const lines = new Set<string>();
  for (const change of changes) {
    const { urn: of, action, facet, path = [] } = change;
    const at = `${of} ${[facet, ...path].join(" ")}:`;
    if (action !== "update") lines.add(`${of} ${action}`);
    if ("add" in change) {
      for (const value of change.add) lines.add(`${at} add ${shown(value)}`);
      for (const value of change.remove) lines.add(`${at} remove ${shown(value)}`);
    } else if ("before" in change) {
      const against = change.conflict ? ` against ${shown(change.conflict.base)}` : "";
      lines.add(`${at} ${shown(change.before)} to ${shown(change.after)}${against}`);
    }
  }
  const staying = unmanaged.map(({ urn: of, facet, path = [], value, reason }) => {
    if (facet === undefined) return `${of} ${reason}`;
    return `${of} ${[facet, ...path].join(" ")}: ${reason} ${shown(value)}`;
  });
  return [...lines, ...staying].toSorted();
}
