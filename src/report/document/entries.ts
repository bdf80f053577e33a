/** Groups changes for display, by entity or by a value that many entities share, and sorts them by importance. */

import { facetNamed } from "../../facets/index.ts";
import { columnOf } from "../../facets/places.ts";
import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { canonicalJson } from "../../model/json.ts";
import type { Names } from "../../model/plan.ts";
import type { Urn } from "../../model/urn.ts";
import { isInConflict } from "../../model/conflicts.ts";
import { hasValuesHeldBack } from "../../model/held-back.ts";
import { countedText } from "../count.ts";
import { entitiesText, keyOf, namesOf, placeIn } from "./values.ts";

/** The changes under one heading: the changes to one entity, or values that the same entities share. */
export interface Entry {
  readonly isShared: boolean;
  readonly edits: readonly Edit[];
}

/** A change, or one value that several entities gain or lose for the same reason. */
export interface Edit {
  /** The first change in `of`, without the fields in which the changes differ. */
  readonly change: Change;
  readonly of: readonly Change[];
  /** The number of columns, if the changes affect several columns. Otherwise empty. */
  readonly columns: string;
  /** Whether all changes are declared on the same line. */
  readonly isOneLine: boolean;
}

/** Returns the facet and keys that an edit changes, and the number of columns if there are several. */
export function editPlace(change: FacetChange, columns: Edit["columns"]): string {
  return [placeIn(change), columns].filter((part) => part !== "").join(" ");
}

/** The maximum number of entities to list separately for a value. If more entities share the value, it is shown once. */
const maxListedSingly = 5;

/**
 * Groups changes. If more than five existing entities gain or lose a value because of the same file and the same rules, the value
 * is shown once for all of them. Conflicts and values that are held back are never grouped. With `all`, nothing is grouped by
 * value.
 */
export function entriesOf(changes: readonly Change[], all = false): readonly Entry[] {
  const parts = all ? [] : changes.filter(isShareable).flatMap(partsOf);
  const shared = [...groupBy(parts, reasonKey).values()].filter(isShared);
  const keys = new Set(shared.map(([first]) => reasonKey(first)));
  const single = shared.length === 0 ? changes : changes.flatMap((change) => withoutShared(change, keys));
  const bySharers = groupBy(shared, (values) => urnsOf(values).join("\n"));
  const entities = groupBy(single, ({ urn }) => urn);
  return byImportance<Entry>(
    [
      ...[...bySharers.values()].map((values) => ({ isShared: true, edits: values.map(sharedEdit) })),
      ...[...entities.values()].map((own) => ({
        isShared: false,
        edits: byImportance(own, (change) => [change]).map(singleEdit),
      })),
    ],
    ({ edits }) => edits.flatMap(({ of }) => of),
  );
}

function isShareable(change: Change): change is FacetChange {
  const isCaused = change.source !== undefined || change.rules !== undefined;
  return (
    isFacetChange(change) &&
    change.action === "update" &&
    isCaused &&
    !isInConflict(change) &&
    !hasValuesHeldBack(change)
  );
}

type Shared = readonly [FacetChange, ...FacetChange[]];

function isShared(parts: readonly FacetChange[]): parts is Shared {
  return parts.length > maxListedSingly && urnsOf(parts).length > maxListedSingly;
}

/** Splits a change to a set into a separate change for each added or removed element. */
export function partsOf(change: FacetChange): readonly FacetChange[] {
  if (!isSetChange(change)) return [change];
  const { removed = [], ...rest } = change;
  const known = new Map(removed.map((each) => [keyOf(each.value), each]));
  const added = change.add.map((value) => ({ ...rest, add: [value], remove: [] }));
  const lost = change.remove.map((value) => {
    const own = known.get(keyOf(value));
    return { ...rest, add: [], remove: [value], ...(own && { removed: [own] }) };
  });
  return [...added, ...lost];
}

/** Returns a key that is equal for changes with the same value, file and rules. Ignores columns. */
function reasonKey(part: FacetChange): string {
  const { kind, facet, source, rules, removed: [removed] = [] } = part;
  const values = isSetChange(part)
    ? [part.add.map(keyOf), part.remove.map(keyOf)]
    : [part.before, part.after].map(canonicalJson);
  return JSON.stringify([
    kind,
    facet,
    values,
    source?.file,
    rules,
    source?.base,
    part.class,
    removed?.declaredBefore,
    removed?.lastApplied?.file,
  ]);
}

/** Removes shared values from a change. Returns one change, or none if nothing remains. */
function withoutShared(change: Change, keys: ReadonlySet<string>): readonly Change[] {
  if (!isShareable(change)) return [change];
  const left = partsOf(change).filter((part) => !keys.has(reasonKey(part)));
  if (left.length === 0 || !isSetChange(change)) return left;
  const sets = left.filter(isSetChange);
  const removed = sets.flatMap((part) => part.removed ?? []);
  const { removed: _, ...rest } = change;
  return [
    {
      ...rest,
      add: sets.flatMap(({ add }) => add),
      remove: sets.flatMap(({ remove }) => remove),
      ...(removed.length > 0 && { removed }),
    },
  ];
}

function urnsOf(changes: readonly Change[]): readonly Urn[] {
  return [...new Set(changes.map(({ urn }) => urn))];
}

function singleEdit(change: Change): Edit {
  return { change, of: [change], columns: "", isOneLine: true };
}

function sharedEdit(parts: Shared): Edit {
  const [first] = parts;
  const isOneColumn = parts.every((each) => columnOf(each) === columnOf(first));
  const change = withoutWriter(parts);
  const { path: _, ...withoutPath } = change;
  return {
    change: isOneColumn ? change : withoutPath,
    of: parts,
    columns: isOneColumn ? "" : `(${countedText(parts.length, "column")})`,
    isOneLine: parts.every(({ source }) => source?.line === first.source?.line),
  };
}

/** Returns the first change. It includes the writer of the removed value only if all changes have the same writer. */
function withoutWriter(parts: Shared): FacetChange {
  const [first] = parts;
  const writers = new Set(parts.map(({ removed: [removed] = [] }) => `${removed?.actor} ${removed?.time}`));
  if (!first.removed || writers.size === 1) return first;
  return {
    ...first,
    removed: first.removed.map(
      ({ actor: _, time: _time, lastWriterOfAspect: _aspect, ...removed }) => removed,
    ),
  };
}

/** Returns the changed entities' kind and names: "5,000 datasets: sales.orders, sales.returns, sales.users and 4,997 more". */
export function sharersText(changes: readonly Change[], names?: Names): string {
  const urns = urnsOf(changes);
  return `${entitiesText(urns.length, changes[0]?.kind ?? "")}: ${namesOf(urns, names)}`;
}

/**
 * Sorts items by importance, in this order: lost values that were not declared before, owners, domains, deletions, and other
 * items. The sort is stable.
 */
function byImportance<Item>(
  items: readonly Item[],
  changesOf: (item: Item) => readonly Change[],
): readonly Item[] {
  const ranked = items.map((item) => ({
    item,
    rank: changesOf(item).reduce<number>((rank, change) => Math.min(rank, rankOf(change)), rest),
  }));
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item);
}

const [foreign, owners, domains, deletions, rest] = [0, 1, 2, 3, 4] as const;

function rankOf(change: Change): number {
  if (!isFacetChange(change)) return change.action === "delete" ? deletions : rest;
  const { removed = [], facet, action } = change;
  if (removed.some(({ declaredBefore, lastApplied }) => declaredBefore !== true || lastApplied))
    return foreign;
  if (action === "create") return rest;
  const { isOwnership, isPlacement } = facetNamed(facet);
  return isOwnership === true ? owners : isPlacement === true ? domains : rest;
}
