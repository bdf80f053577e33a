import fc from "fast-check";
import { expect } from "vitest";
import { leafAt, leafIn, leavesOf, type Path, pathKey, placeAt } from "../../src/model/place.ts";
import { edgeSets, otherEndOf, plannedFacets } from "../../src/facets/index.ts";
import { type FacetChange, isFacetChange, isSetChange } from "../../src/model/change.ts";
import {
  type Entity,
  type FacetValue,
  type Member,
  memberKey,
  type Scalar,
  setOf,
} from "../../src/model/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import { datasetNamed, urn } from "../support/states.ts";
import { lawsOf } from "./law.ts";
import {
  baseHolds,
  deletedIn,
  expectedLines,
  falls,
  isIgnored,
  isLeftAlone,
  linesIn,
  modeAt,
  othersOf,
  valuesOf,
} from "./table.ts";
import { ignoreRules, planOf, type World, worlds } from "./worlds.ts";

const law = lawsOf(fc.record({ world: worlds, rule: ignoreRules }), 32);

law("a plan says what the table of modes says of every element and value, and nothing else", ({ world }) => {
  expect(linesIn(planOf(world))).toEqual(expectedLines(world));
});

law("each value that goes is told with whether base declares it, and under `merge` it does", ({ world }) => {
  for (const change of planOf(world).changes.filter(isFacetChange)) {
    const gone = goneIn(change);
    const declared = gone.map((value) => (world.base ? baseHolds(world, change, value) : null));
    const told = gone.map((value, index) => ({ value, declaredBefore: declared[index] }));
    if (gone.length > 0 || change.removed) expect(change.removed).toEqual(told);
    if (!isSetChange(change) || gone.length === 0) continue;
    const removing = gone.map((value) => modeAt(world, change, value));
    expect(removing).not.toContain("additive");
    expect(removing.every((mode, index) => mode !== "merge" || declared[index] === true)).toBe(true);
  }
});

law(
  "what is ignored is in no change and not named, and one more rule never adds to a plan",
  ({ world, rule }) => {
    const { changes, unmanaged, findings } = planOf(world);
    const about = [...changes, ...unmanaged, ...findings.flatMap((finding) => finding.changes)];
    expect(about.filter(({ urn: of }) => isLeftAlone(world.ignore, of))).toEqual([]);
    const covered = changes
      .filter(isFacetChange)
      .flatMap((change) =>
        valuesIn(change).filter((value) => isIgnored(world.ignore, change.urn, change.facet, value)),
      );
    expect(covered).toEqual([]);
    expect(
      unmanaged.filter(
        ({ urn: of, facet, value }) => facet !== undefined && isIgnored(world.ignore, of, facet, value),
      ),
    ).toEqual([]);
    const narrower = planOf({ ...world, ignore: [...world.ignore, rule] });
    const before = new Set(linesIn({ changes, unmanaged: [] }));
    const more = linesIn({ changes: narrower.changes, unmanaged: [] }).filter((line) => !before.has(line));
    expect(more).toEqual([]);
  },
);

law(
  "what base declared and nobody declares any more is not touched, and each of its values is named",
  ({ world }) => {
    const { changes, unmanaged } = planOf(world);
    const deleted = deletedIn(world);
    const named = new Set(
      unmanaged
        .filter(({ reason }) => reason === "no-longer-declared")
        .flatMap((each) => (each.facet === undefined ? [] : placeOf(each))),
    );
    const touched = new Set(changes.map((change) => placeOf({ ...change, value: null })));
    const dropped = droppedIn(world).filter(
      ({ urn: of }) => !isLeftAlone(world.ignore, of) && !deleted.has(of),
    );
    expect(
      dropped.map((place) => placeOf({ ...place, value: null })).filter((place) => touched.has(place)),
    ).toEqual([]);
    const values = dropped
      .filter(
        ({ urn: of, facet, value }) => !isIgnored(world.ignore, of, facet, value) && !falls(value, deleted),
      )
      .map(placeOf);
    expect(values.filter((value) => !named.has(value))).toEqual([]);
  },
);

law("what others add makes a change another one under `authoritative` alone", ({ world }) => {
  const crowded = new Map(
    planOf(withStrangers(world)).changes.map((change) => [placeOf({ ...change, value: null }), change]),
  );
  const wrong = planOf(world)
    .changes.filter(isFacetChange)
    .filter((change) => {
      const { urn: of, facet } = change;
      const stranger = strangers[facet];
      if (stranger === undefined || !isSetChange(change) || !world.live.has(of)) return false;
      // Of a group that lists no members only those are managed who list their groups.
      const isSeen =
        world.desired.state.get(of)?.facets.has(facet) === true &&
        modeAt(world, change, stranger) === "authoritative" &&
        !isIgnored(world.ignore, of, facet, stranger);
      const same = crowded.get(placeOf({ ...change, value: null }));
      return (same?.fingerprint === change.fingerprint) === isSeen;
    });
  expect(wrong).toEqual([]);
});

type Value = Member | Scalar;

/** The values that a change takes away. Whether an entity is soft-deleted is nobody's value. */
function goneIn(change: FacetChange): readonly Value[] {
  if (isSetChange(change)) return change.remove;
  return change.before === null || change.facet === "removed" ? [] : [change.before];
}

/** Every value that a change names as written, as taken away or as overwritten. */
function valuesIn(change: FacetChange): readonly Value[] {
  const removed = (change.removed ?? []).map(({ value }) => value);
  if (isSetChange(change)) return [...change.add, ...change.remove, ...removed];
  const { before, after, conflict } = change;
  return [before, after, ...(conflict ? [conflict.live, conflict.desired] : []), ...removed];
}

interface Place {
  readonly urn: Urn;
  readonly facet?: string;
  readonly path?: Path;
  readonly value: Value;
}

function placeOf({ urn: of, facet = "", path, value }: Place): string {
  const key = typeof value === "object" && value !== null ? memberKey(value) : JSON.stringify(value);
  return [of, facet, pathKey(path), key].join(" ");
}

/** The live values that base declares, of facets and columns that nobody declares any more; memberships have two sides. */
function droppedIn(world: World): readonly (Place & { readonly facet: string })[] {
  const { base, desired, live } = world;
  return [...(base?.state.values() ?? [])].flatMap(({ urn: of, facets }) =>
    [...facets].flatMap(([facet, before]) => {
      const now = desired.state.get(of)?.facets.get(facet);
      const dropped =
        otherEndOf(facet) !== undefined ? [] : leavesOf(before).filter(([path]) => !leafAt(now, path));
      return dropped.flatMap(([path]) => {
        const place = placeAt(facet, path);
        return valuesOf(leafIn(live.get(of), place))
          .filter((value) => baseHolds(world, { urn: of, ...place }, value))
          .map((value) => ({ urn: of, ...place, value }));
      });
    }),
  );
}

/** By facet that has sets, a value that no manifest knows. */
const strangers: Readonly<Record<string, Member>> = Object.fromEntries(
  plannedFacets.flatMap(({ name, set, isOwnership, refersTo: [type] }) => {
    if (!set) return [];
    const value = type === "dataset" ? datasetNamed("stranger") : `urn:li:${type}:stranger`;
    return [[name, isOwnership ? { owner: value, type: "urn:li:ownershipType:__system__none" } : value]];
  }),
);

/** The same world, in which somebody has added a value to every set. */
function withStrangers(world: World): World {
  const live = new Map<Urn, Entity>();
  for (const [of, entity] of world.live) {
    const facets = [...entity.facets].map(
      ([name, value]) => [name, withOneMore(value, strangers[name])] as const,
    );
    live.set(of, { ...entity, facets: new Map(facets) });
  }
  const groupsOf = new Map<Urn, Set<Urn>>([...world.groupsOf].map(([user, those]) => [user, new Set(those)]));
  for (const { urn: group, kind } of live.values()) {
    for (const set of edgeSets.filter((each) => each.kind.name === kind)) {
      const stranger = strangers[set.facet];
      for (const member of [
        ...(typeof stranger === "string" ? [urn(stranger)] : []),
        ...othersOf(set, world, group),
      ])
        groupsOf.set(member, (groupsOf.get(member) ?? new Set<Urn>()).add(group));
    }
  }
  return { ...world, live, groupsOf };
}

function withOneMore(value: FacetValue, member: Member | undefined): FacetValue {
  if (member === undefined || value.shape === "scalar") return value;
  if (value.shape === "set") return setOf([...value.members, member]);
  const entries = [...value.entries].map(([column, entry]) => [column, withOneMore(entry, member)] as const);
  return { ...value, entries: new Map(entries) };
}
