import { columnOf } from "../facets/places.ts";
import { findKind, kindOfType } from "../kinds/index.ts";
import { type Change, type FacetChange, isFacetChange, isSetChange } from "../model/change.ts";
import { groupBy } from "../model/group-by.ts";
import type { Names } from "../model/plan.ts";
import { entityTypeOf, plainKeyOf, type Urn } from "../model/urn.ts";
import { isInConflict } from "../plan/diff/conflicts.ts";
import { byEntity, heaviestFirst } from "./heaviest-first.ts";
import { many } from "./markdown/section.ts";
import { printable } from "./printable.ts";
import { keyOf, removedBy, sourceText } from "./text/change-text.ts";

/** One value that each of these changes adds, sets or removes, for the same reason; they do nothing else. */
export type SharedValue = readonly [FacetChange, ...FacetChange[]];

/** What a view shows at once: the changes of one entity, or the values that the same entities share. */
export type Entry = { readonly changes: readonly Change[] } | { readonly shared: readonly SharedValue[] };

/** What more entities than this share is shown once. */
const mostSingly = 5;

/**
 * Changes as a view shows them, what weighs most first. A value that more than five existing entities gain or lose by the
 * same rules, or else by the same file, is shown once for all of them. With `all` each entity is shown by itself.
 */
export function entriesOf(changes: readonly Change[], all = false): readonly Entry[] {
  const parts = all ? [] : changes.filter(isFoldable).flatMap(partsOf);
  const shared = [...groupBy(parts, reasonKey).values()].filter(isShared);
  if (shared.length === 0) return byEntity(changes).map((group) => ({ changes: group }));
  const keys = new Set(shared.map(([first]) => reasonKey(first)));
  const single = changes.flatMap((change) => withoutShared(change, keys));
  const sets = [...groupBy(shared, (value) => urnsOf(value).join("\n")).values()];
  return heaviestFirst<Entry>(
    [...sets.map((each) => ({ shared: each })), ...byEntity(single).map((group) => ({ changes: group }))],
    (entry) => ("changes" in entry ? entry.changes : entry.shared.flat()),
  );
}

function isFoldable(change: Change): change is FacetChange {
  const isCaused = change.source !== undefined || change.rules !== undefined;
  return isFacetChange(change) && change.action === "update" && isCaused && !isInConflict(change);
}

function isShared(value: readonly FacetChange[]): value is SharedValue {
  return value.length > mostSingly && urnsOf(value).length > mostSingly;
}

/** A change of a set as changes of one element each. */
export function partsOf(change: FacetChange): readonly FacetChange[] {
  if (!isSetChange(change)) return [change];
  const { removed: _, ...rest } = change;
  const known = removedBy(change);
  const added = change.add.map((value) => ({ ...rest, add: [value], remove: [] }));
  const lost = change.remove.map((value) => {
    const removed = known.get(keyOf(value));
    return { ...rest, add: [], remove: [value], ...(removed && { removed: [removed] }) };
  });
  return [...added, ...lost];
}

/** Equal for values that are the same and come from the same place. Columns may differ. */
function reasonKey(part: FacetChange): string {
  const { kind, facet, source, rules, removed: [removed] = [] } = part;
  const values = isSetChange(part)
    ? [part.add.map(keyOf), part.remove.map(keyOf)]
    : [part.before, part.after];
  return JSON.stringify([
    kind,
    facet,
    values,
    source?.file,
    rules,
    source?.base,
    part.class,
    removed?.declaredBefore,
  ]);
}

/** What is left of a change without its shared values: nothing, or one change. */
function withoutShared(change: Change, keys: ReadonlySet<string>): readonly Change[] {
  if (!isFoldable(change)) return [change];
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

function urnsOf(value: readonly Change[]): readonly Urn[] {
  return [...new Set(value.map(({ urn }) => urn))];
}

/** Who shares values: "5,000 datasets: sales.orders, sales.returns, sales.users and 4,997 more". */
export function sharersText([first = []]: readonly (readonly Change[])[], names?: Names): string {
  const urns = urnsOf(first);
  const kind = first[0]?.kind ?? "";
  return `${many(urns.length, [kind.toLowerCase(), findKind(kind)?.plural ?? kind])}: ${namesOf(urns, { names })}`;
}

/** More names than this are counted. */
const mostNames = 3;

/** Entities by their names: the first three and how many more, or all. One of a kind that is not known goes by its URN. */
export function namesOf(
  urns: readonly Urn[],
  { names = {}, all = false }: { readonly names?: Names | undefined; readonly all?: boolean | undefined },
): string {
  const shown = urns.slice(0, all ? urns.length : mostNames).map((urn) => {
    const name = Object.hasOwn(names, urn) ? names[urn] : undefined;
    const kind = kindOfType(entityTypeOf(urn));
    return printable(name ?? (kind ? kind.asset?.nameOf(urn) || plainKeyOf(urn) : urn)).slice(0, longestName);
  });
  const left = urns.length - shown.length;
  return shown.join(", ") + (left > 0 ? ` and ${many(left, ["more", "more"])}` : "");
}

const longestName = 80;

/** The first of the changes that share a value, as it stands for all: without what differs. */
export function standingFor(value: SharedValue): {
  readonly change: FacetChange;
  /** How many columns, where there are several of different names; else empty. */
  readonly columns: string;
  readonly source: string;
} {
  const [first] = value;
  const isOneColumn = value.every((each) => columnOf(each) === columnOf(first));
  const isOneLine = value.every(({ source }) => source?.line === first.source?.line);
  const { path: _, ...rest } = withoutWriter(value);
  return {
    change: isOneColumn ? withoutWriter(value) : rest,
    columns: isOneColumn ? "" : `(${many(value.length, ["column", "columns"])})`,
    source: first.source ? sourceText(first.source, first, isOneLine) : "",
  };
}

/** Who wrote a value that goes is said only where it is the same everywhere. */
function withoutWriter(value: SharedValue): FacetChange {
  const [first] = value;
  const writers = new Set(value.map(({ removed: [removed] = [] }) => `${removed?.actor} ${removed?.time}`));
  if (!first.removed || writers.size === 1) return first;
  return {
    ...first,
    removed: first.removed.map(({ value: gone, declaredBefore }) => ({ value: gone, declaredBefore })),
  };
}
