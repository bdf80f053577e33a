import {
  type Content,
  isScalar,
  kindOf,
  type Kind,
  type Live,
  type LiveEntity,
  type Mode,
  partsOf,
  placeOf,
  type Settings,
} from "./model.ts";

// What a plan must show, and what the catalog must hold after an apply: the rules of docs/ownership.md, written a second
// time. Nothing here knows how the sources decide.

/** What is declared at a place. */
interface Wanted {
  readonly values: ReadonlySet<string>;
  readonly mode: Mode;
}

/** What a commit declares of a catalog. */
export interface Declared {
  readonly entities: ReadonlyMap<string, Kind>;
  readonly places: ReadonlyMap<string, Wanted>;
  /** The modes that documents give themselves, by place. */
  readonly manages: ReadonlyMap<string, Mode>;
}

/** What several commits declare together; memberships are those of the groups, whoever declared them. */
export interface Before {
  readonly entities: ReadonlyMap<string, Kind>;
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
  /** The users that listed their groups. */
  readonly listing: ReadonlySet<string>;
}

/** What is planned at one place, or of an entity as a whole. */
export interface Change {
  readonly action: "create" | "update" | "delete";
  readonly urn: string;
  readonly place: string;
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly isHeldBack: boolean;
  /** Whether a part has it for selected users alone, and not for the group: other members are not looked at. */
  readonly isOfUsers?: true;
}

/** What a plan refuses to do, and the entity that it is about. */
interface Problem {
  readonly code: "missing" | "reference" | "deletion" | "children";
  readonly about: string;
}

/** A plan, as far as histories look at it. */
export interface Expected {
  readonly changes: readonly Change[];
  readonly problems: readonly Problem[];
  readonly summary: Readonly<Record<string, number>>;
}

/** All that a plan is made of. */
export interface Situation {
  readonly now: Declared;
  /** `undefined` where no commit is known to be applied. */
  readonly before: Before | undefined;
  readonly live: Live;
  readonly settings: Settings;
  readonly prunes: boolean;
  readonly winner?: "desired" | "live" | undefined;
}

const none: ReadonlySet<string> = new Set();

/** What documents and rules declare of the catalog as it is. */
export function declaredBy({ documents, rules }: Content, live: Live, { modes }: Settings): Declared {
  const entities = new Map<string, Kind>();
  const places = new Map<string, Wanted>();
  const own = new Map<string, Mode>();
  for (const { urn, manage = {} } of Object.values(documents))
    for (const [facet, mode] of Object.entries(manage)) own.set(placeOf(urn, facet), mode);
  const declare = (urn: string, facet: string, values: readonly string[]): void => {
    const [name = ""] = facet.split(" ");
    const ofOtherEnd = name === "groups" ? modes["members"] : undefined;
    const mode = own.get(placeOf(urn, name)) ?? modes[name] ?? ofOtherEnd ?? "authoritative";
    const others = places.get(placeOf(urn, facet))?.values ?? none;
    places.set(placeOf(urn, facet), { values: new Set([...others, ...values]), mode });
  };
  for (const { urn, kind, values, inline = {} } of Object.values(documents)) {
    entities.set(urn, kind);
    for (const [facet, wanted] of Object.entries(values)) declare(urn, facet, wanted);
    for (const [user, title] of Object.entries(inline)) {
      entities.set(user, "User");
      declare(user, "title", [title]);
    }
  }
  for (const { matches, values } of rules.toSorted((a, b) => (a.id < b.id ? 1 : -1))) {
    for (const urn of matches) {
      const asset = live.entities.get(urn);
      if (!asset || asset.isRemoved) continue;
      entities.set(urn, "Dataset");
      for (const [facet, wanted] of Object.entries(values)) {
        const [, name, column] = partsOf(placeOf(urn, facet));
        if (column !== undefined && !asset.columns.includes(column)) continue;
        if (!isScalar(name) || !places.has(placeOf(urn, facet))) declare(urn, facet, wanted);
      }
    }
  }
  return { entities, places, manages: own };
}

/** What commits declare together. */
export function declaredByAll(commits: readonly Declared[]): Before {
  const entities = new Map<string, Kind>();
  const values = new Map<string, Set<string>>();
  const listing = new Set<string>();
  const add = (place: string, ...found: readonly string[]): void => {
    values.set(place, new Set([...(values.get(place) ?? []), ...found]));
  };
  for (const commit of commits) {
    for (const [urn, kind] of commit.entities) entities.set(urn, kind);
    for (const [place, wanted] of commit.places) {
      const [urn, facet] = partsOf(place);
      if (facet === "groups") listing.add(urn);
      if (facet === "groups") for (const group of wanted.values) add(placeOf(group, "members"), urn);
      else add(place, ...wanted.values);
    }
  }
  return { entities, values, listing };
}

/** The plan of everything. */
export function planOf(situation: Situation): Expected {
  const { now, before, live, settings, prunes } = situation;
  const changes: Change[] = [];
  const problems: Problem[] = [];
  const isRefused = settings.missing === "error";
  // The values that stay where they are although nobody declares them.
  const kept = new Map<string, readonly string[]>();
  const deleted = prunes && before ? prunable(now, before, live, settings) : none;
  const note = (
    place: string,
    add: readonly string[],
    remove: readonly string[],
    isHeldBack = false,
  ): void => {
    if (add.length + remove.length === 0) return;
    const [urn] = partsOf(place);
    changes.push({
      action: live.entities.has(urn) ? "update" : "create",
      urn,
      place,
      add,
      remove,
      isHeldBack,
    });
  };
  for (const [urn, kind] of now.entities) {
    const there = live.entities.get(urn);
    if (isRefused && isGone(there, kind, undefined)) problems.push({ code: "missing", about: urn });
    if (kind !== "Dataset" && there?.isRemoved) note(placeOf(urn, "removed"), ["false"], ["true"]);
    if (!there && (kind === "Domain" || kind === "Tag"))
      note(placeOf(urn, "name"), [urn.split(":")[3] ?? ""], []);
  }
  for (const [place, { values, mode }] of now.places) {
    const [urn, facet, column] = partsOf(place);
    const there = live.entities.get(urn);
    if (facet === "members" || facet === "groups" || isGone(there, kindOf(urn), undefined)) continue;
    if (isGone(there, kindOf(urn), column)) {
      if (isRefused) problems.push({ code: "missing", about: urn });
      continue;
    }
    const found = live.values.get(place) ?? none;
    const known = before && (before.values.get(place) ?? none);
    const add = [...values].filter((value) => !found.has(value));
    const others = [...found].filter((value) => !values.has(value));
    const [other] = others;
    if (isScalar(facet) && other !== undefined) {
      const isConflict = mode === "merge" && !known?.has(other);
      if (mode === "additive") kept.set(place, others);
      else note(place, add, others, isConflict && situation.winner !== "desired");
      if (isConflict && situation.winner !== "desired") kept.set(place, others);
      continue;
    }
    const remove = others.filter((value) => isTaken(mode, known?.has(value) === true));
    kept.set(
      place,
      others.filter((value) => !remove.includes(value)),
    );
    note(place, add, remove);
  }
  for (const group of groupsIn(now, live)) {
    if (deleted.has(group)) continue;
    const place = placeOf(group, "members");
    const listed = now.places.get(place);
    const found = live.values.get(place) ?? none;
    const staying: string[] = [];
    const [add, remove]: [string[], string[]] = [[], []];
    for (const user of new Set([...found, ...(listed?.values ?? []), ...usersNaming(group, now)])) {
      const lists = now.places.get(placeOf(user, "groups"));
      const isWanted = listed?.values.has(user) === true || lists?.values.has(group) === true;
      const wasDeclared = before?.values.get(place)?.has(user) === true;
      const mode = listed?.mode ?? lists?.mode;
      if (isWanted && !found.has(user)) add.push(user);
      if (isWanted || !found.has(user)) continue;
      const isPruned = mode === undefined && prunes && settings.prune.assignments && wasDeclared;
      if (isPruned || (mode && isTaken(mode, wasDeclared))) remove.push(user);
      else if (mode) staying.push(user);
    }
    kept.set(place, staying);
    note(place, add, remove);
  }
  if (prunes && settings.prune.assignments && before) {
    for (const [place, values] of valuesLeft({ now, before, live })) {
      const [urn, facet] = partsOf(place);
      if (!deleted.has(urn) && facet !== "members") note(place, [], values);
    }
  }
  for (const urn of deleted) {
    changes.push({ action: "delete", urn, place: urn, add: [], remove: [], isHeldBack: false });
    const stays = [...kept].some(
      ([place, values]) =>
        !deleted.has(partsOf(place)[0]) && values.some((value) => namedIn(value).includes(urn)),
    );
    const isNamed = [...now.places.values()].some(({ values }) =>
      [...values].some((value) => namedIn(value).includes(urn)),
    );
    if (stays || isNamed) problems.push({ code: "deletion", about: urn });
  }
  for (const [urn, kind] of now.entities)
    if (!live.entities.has(urn) && kind !== "Dataset" && !changes.some((change) => change.urn === urn))
      changes.push({ action: "create", urn, place: urn, add: [], remove: [], isHeldBack: false });
  for (const change of changes.filter(({ isHeldBack }) => !isHeldBack))
    for (const named of change.add.flatMap(namedIn))
      if (!willBeThere(named, now, live) && !deleted.has(named))
        problems.push({ code: "reference", about: change.urn });
  for (const change of changes.filter(({ add, place }) => add.length > 0 && place.endsWith(" members")))
    if (!willBeThere(change.urn, now, live)) problems.push({ code: "reference", about: change.urn });
  const after = applied(
    live,
    changes.filter(({ action }) => action !== "delete"),
  );
  for (const [place, values] of after.values) {
    const [child, facet] = partsOf(place);
    if (facet !== "parent_domain" || deleted.has(child)) continue;
    for (const parent of values) if (deleted.has(parent)) problems.push({ code: "children", about: parent });
  }
  return { changes, problems, summary: summaryOf(changes, now, live, (urn) => now.entities.has(urn)) };
}

/** The plan of the entities that are selected: those of all changes that concern them, and what these need. */
export function planOfPart(whole: Expected, selected: ReadonlySet<string>, situation: Situation): Expected {
  const { now, before, live } = situation;
  const part = new Set(selected);
  const decides = (group: string, user: string): boolean =>
    now.places.has(placeOf(user, "groups")) ||
    (before?.listing.has(user) === true && !now.places.has(placeOf(group, "members")));
  const ofPart = (change: Change): readonly Change[] => {
    if (part.has(change.urn)) return [change];
    if (!change.place.endsWith(" members")) return [];
    const isOwn = (user: string): boolean => part.has(user) && decides(change.urn, user);
    const [add, remove] = [change.add.filter(isOwn), change.remove.filter(isOwn)];
    return add.length + remove.length > 0 ? [{ ...change, add, remove, isOfUsers: true }] : [];
  };
  const isComing = (urn: string): boolean =>
    whole.changes.some(
      (change) => change.urn === urn && (change.action === "create" || change.place.endsWith(" removed")),
    );
  for (let size = -1; size !== part.size;) {
    size = part.size;
    for (const { urn, add, isHeldBack } of whole.changes.flatMap(ofPart))
      for (const needed of isHeldBack || add.length === 0 ? [] : [urn, ...add.flatMap(namedIn)])
        if (isComing(needed)) part.add(needed);
  }
  const changes = whole.changes.flatMap(ofPart);
  return {
    changes,
    problems: whole.problems.filter(
      ({ about }) => part.has(about) || changes.some(({ urn }) => urn === about),
    ),
    summary: summaryOf(changes, now, live, (urn) => part.has(urn) && now.entities.has(urn)),
  };
}

/** What the catalog holds once changes have been carried out. What is deleted is named nowhere any more. */
export function applied(live: Live, changes: readonly Change[]): Live {
  const entities = new Map(live.entities);
  const values = new Map(live.values);
  const deleted = new Set<string>();
  for (const { action, urn, place, add, remove, isHeldBack } of changes) {
    if (isHeldBack) continue;
    const [, facet] = partsOf(place);
    if (action === "delete") deleted.add(urn);
    else if (!entities.has(urn))
      entities.set(urn, { kind: kindOf(urn) ?? "Dataset", isRemoved: false, columns: [] });
    const there = entities.get(urn);
    if (facet === "removed" && there) entities.set(urn, { ...there, isRemoved: false });
    else if (facet !== undefined && facet !== "") {
      const found = [...(values.get(place) ?? [])].filter((value) => !remove.includes(value));
      values.set(place, new Set([...found, ...add]));
    }
  }
  for (const urn of deleted) entities.delete(urn);
  for (const [place, found] of values) {
    const left = [...found].filter((value) => !namedIn(value).some((urn) => deleted.has(urn)));
    if (left.length === 0 || deleted.has(partsOf(place)[0])) values.delete(place);
    else values.set(place, new Set(left));
  }
  return { entities, values };
}

/** Whether something stays that a prune would take away. */
export function leavesBehind({ now, before, live, settings, prunes }: Situation): boolean {
  if (!before || prunes) return false;
  if (prunable(now, before, live, settings).size > 0) return true;
  return settings.prune.assignments && valuesLeft({ now, before, live }).length > 0;
}

/**
 * Whether values stay on assets and columns that are gone for the moment, and would be taken away if they were there.
 * `there` is the situation if all of them were. `mode` is that of the places that are still declared.
 */
export function leavesOnGone({ live }: Situation, there: Situation, mode: Mode): boolean {
  const { now, before, settings } = there;
  return [...(before?.values ?? [])].some(([place, values]) => {
    const [urn, , column] = partsOf(place);
    if (!isGone(live.entities.get(urn), kindOf(urn), column)) return false;
    const wanted = now.places.get(place);
    const left = [...(live.values.get(place) ?? [])].filter(
      (value) => values.has(value) && !wanted?.values.has(value),
    );
    const isTakenLater = wanted ? wanted.mode === mode : settings.prune.assignments;
    return left.length > 0 && isTakenLater;
  });
}

/** The entities that two commits declare differently. */
export function changedBetween(one: Declared, other: Declared): ReadonlySet<string> {
  const changed = new Set<string>();
  for (const [mine, theirs] of [
    [one, other],
    [other, one],
  ] as const) {
    for (const urn of mine.entities.keys()) if (!theirs.entities.has(urn)) changed.add(urn);
    for (const [place, mode] of mine.manages)
      if (theirs.manages.get(place) !== mode) changed.add(partsOf(place)[0]);
    for (const [place, { values }] of mine.places)
      if (!isSameSet(theirs.places.get(place)?.values, values)) changed.add(partsOf(place)[0]);
  }
  return changed;
}

function isSameSet(one: ReadonlySet<string> | undefined, other: ReadonlySet<string>): boolean {
  return one?.size === other.size && [...one].every((value) => other.has(value));
}

/** Of a change the values that decide about it: where they moved since, it is stale. */
export function isStale(change: Change, { now, before, live }: Situation, later: Live): boolean {
  const { action, urn, place, add, remove } = change;
  if (action === "create") return false;
  if (action === "delete") return hasMore(urn, live, later) || isOtherwise(urn, live, later);
  if (isGone(later.entities.get(urn), kindOf(urn), undefined)) return true;
  const [, facet] = partsOf(place);
  const wanted = now.places.get(place);
  const [was, is] = [live, later].map(({ values }) => values.get(place) ?? none) as [
    ReadonlySet<string>,
    ReadonlySet<string>,
  ];
  const declared = new Set([
    ...add,
    ...remove,
    ...(wanted?.values ?? []),
    ...(before?.values.get(place) ?? []),
  ]);
  const isWhole = wanted?.mode === "authoritative";
  const all = isWhole ? new Set([...was, ...is, ...declared]) : declared;
  const covered = change.isOfUsers ? new Set([...add, ...remove]) : all;
  const planned = new Set([...was].filter((value) => !remove.includes(value)).concat(add));
  if (isScalar(facet)) return !isSameSet(is, was) && !isSameSet(is, planned);
  return [...covered].some(
    (value) => is.has(value) !== was.has(value) && is.has(value) !== planned.has(value),
  );
}

/** What is left to be done without what is stale: what a stale change was to take away first is not deleted, either. */
export function withoutStale(
  changes: readonly Change[],
  stale: readonly Change[],
  live: Live,
): readonly Change[] {
  const valuesOf = ({ action, urn, remove }: Change): readonly string[] =>
    action === "delete"
      ? [...live.values].flatMap(([place, values]) => (partsOf(place)[0] === urn ? [...values] : []))
      : remove;
  const named = new Set(stale.flatMap(valuesOf).flatMap(namedIn));
  return changes.filter(
    (change) => !stale.includes(change) && !(change.action === "delete" && named.has(change.urn)),
  );
}

/** Whether more names an entity than before. */
function hasMore(urn: string, live: Live, later: Live): boolean {
  return [...later.values].some(
    ([place, values]) =>
      (partsOf(place)[0] !== urn &&
        [...values].some((value) => namedIn(value).includes(urn) && !live.values.get(place)?.has(value))) ||
      (place === placeOf(urn, "members") && [...values].some((value) => !live.values.get(place)?.has(value))),
  );
}

/** Whether what an entity itself holds is not as it was. */
function isOtherwise(urn: string, live: Live, later: Live): boolean {
  if (live.entities.get(urn)?.isRemoved !== later.entities.get(urn)?.isRemoved) return true;
  return [...new Set([...live.values.keys(), ...later.values.keys()])].some(
    (place) =>
      partsOf(place)[0] === urn &&
      place !== placeOf(urn, "members") &&
      !isSameSet(live.values.get(place) ?? none, later.values.get(place) ?? none),
  );
}

function prunable(now: Declared, before: Before, live: Live, { prune }: Settings): ReadonlySet<string> {
  const gone = [...before.entities].filter(
    ([urn, kind]) => prune.kinds.includes(kind) && !now.entities.has(urn),
  );
  return new Set(gone.map(([urn]) => urn).filter((urn) => live.entities.has(urn)));
}

/** The live values that were declared before, at places that nobody declares any more. */
function valuesLeft({
  now,
  before,
  live,
}: {
  now: Declared;
  before: Before;
  live: Live;
}): readonly (readonly [string, readonly string[]])[] {
  return [...before.values].flatMap(([place, values]) => {
    const [urn, facet, column] = partsOf(place);
    if (now.places.has(place) || isGone(live.entities.get(urn), kindOf(urn), column)) return [];
    const isFree = (user: string): boolean => facet !== "members" || !now.places.has(placeOf(user, "groups"));
    const left = [...(live.values.get(place) ?? [])].filter((value) => values.has(value) && isFree(value));
    return left.length > 0 ? [[place, left] as const] : [];
  });
}

function isGone(there: LiveEntity | undefined, kind: Kind | undefined, column: string | undefined): boolean {
  if (kind !== "Dataset") return false;
  return !there || there.isRemoved || (column !== undefined && !there.columns.includes(column));
}

function isTaken(mode: Mode, wasDeclared: boolean): boolean {
  return mode === "authoritative" || (mode === "merge" && wasDeclared);
}

function groupsIn(now: Declared, live: Live): ReadonlySet<string> {
  const groups = [...now.places, ...live.values].flatMap(([place, wanted]) => {
    const [urn, facet] = partsOf(place);
    if (facet === "groups")
      return "values" in wanted && typeof wanted.values !== "function" ? [...wanted.values] : [];
    return facet === "members" ? [urn] : [];
  });
  return new Set(groups);
}

function usersNaming(group: string, now: Declared): readonly string[] {
  return [...now.places].flatMap(([place, { values }]) => {
    const [urn, facet] = partsOf(place);
    return facet === "groups" && values.has(group) ? [urn] : [];
  });
}

/** The entities that a value names: an owner has a type beside it. */
function namedIn(value: string): readonly string[] {
  return value.split(" ").filter((text) => kindOf(text) !== undefined);
}

function willBeThere(urn: string, now: Declared, live: Live): boolean {
  return now.entities.has(urn) || live.entities.get(urn)?.isRemoved === false;
}

function summaryOf(
  changes: readonly Change[],
  now: Declared,
  live: Live,
  isLookedAt: (urn: string) => boolean,
): Readonly<Record<string, number>> {
  const work = changes.filter(({ isHeldBack }) => !isHeldBack);
  const entities = (action: string): number =>
    new Set(work.filter((change) => change.action === action).map(({ urn }) => urn)).size;
  const changed = new Set(changes.map(({ urn }) => urn));
  const inSync = [...now.entities].filter(
    ([urn, kind]) =>
      isLookedAt(urn) &&
      !changed.has(urn) &&
      live.entities.has(urn) &&
      !isGone(live.entities.get(urn), kind, undefined),
  );
  const total = (count: (change: Change, isSingle: boolean) => number): number =>
    work
      .filter(({ action }) => action !== "delete")
      .reduce((sum, change) => sum + count(change, isScalar(partsOf(change.place)[1])), 0);
  return {
    create: entities("create"),
    update: entities("update"),
    delete: entities("delete"),
    unchanged: inSync.length,
    additions: total(({ add, remove }, isSingle) => (isSingle && remove.length > 0 ? 0 : add.length)),
    replacements: total(({ add, remove }, isSingle) => (isSingle && remove.length > 0 ? add.length : 0)),
    removals: total(({ add, remove }, isSingle) => (isSingle && add.length > 0 ? 0 : remove.length)),
    heldBack: changes.length - work.length,
  };
}
