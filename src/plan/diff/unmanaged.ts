import { facetNamed } from "../../facets/index.ts";
import { compareText } from "../../model/json.ts";
import type { Live } from "../../model/live.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import type { Unmanaged, UnmanagedValue } from "../../model/plan.ts";
import {
  type Entity,
  type FacetValue,
  type Member,
  memberKey,
  type Scalar,
  type State,
} from "../../model/state.ts";
import type { Ignored } from "../adopt/ignore.ts";
import { textsIn, valueKey, valuesOf } from "./values.ts";

/**
 * Values that ingestion wrote where nobody can edit them, in what is managed. A tag of a column is worth a line only
 * where that column is managed and the same tag is not declared anyway.
 */
export function ingestedIn(desired: State, live: Live): readonly UnmanagedValue[] {
  return live.unmanaged.filter(({ urn, facet, column, value }) => {
    const declared = desired.get(urn)?.facets.get(facet);
    const entry =
      declared?.shape === "map" && column !== undefined ? declared.entries.get(column) : undefined;
    return entry?.shape === "set" && !entry.members.some((member) => memberKey(member) === value);
  });
}

/**
 * The live values that base declared and nobody declares any more: of a facet, a column, or a whole entity. A definition
 * that no manifest declares any more is named also where none of its values is left. Members of groups are not among
 * them: two sides declare them (`withMembers`).
 */
export function noLongerDeclared(
  {
    desired,
    live,
    gone,
  }: { readonly desired: State; readonly live: State; readonly gone: readonly Entity[] },
  base: State,
): readonly Unmanaged[] {
  const left = new Set(gone.map(({ urn }) => urn));
  return [...base.values()].flatMap((before): readonly Unmanaged[] => {
    const { urn, kind, facets } = before;
    const liveEntity = live.get(urn);
    if (!liveEntity) return [];
    const now = desired.get(urn);
    const values = [...facets].flatMap(([facet, value]) =>
      leftIn(liveEntity, facet, value, now?.facets.get(facet)),
    );
    const isBare = left.has(urn) && values.length === 0 && isDefinitionKind(kind);
    return isBare ? [{ urn, kind, reason: "no-longer-declared" }] : values;
  });
}

function leftIn(
  liveEntity: Entity,
  facet: string,
  before: FacetValue,
  now: FacetValue | undefined,
): readonly UnmanagedValue[] {
  // What nobody can declare was not declared before, either.
  if (facetNamed(facet).schema === undefined) return [];
  const live = liveEntity.facets.get(facet);
  if (before.shape !== "map")
    return now ? [] : stillThere(before, live).map((value) => unmanaged(liveEntity, facet, value));
  const declared = now?.shape === "map" ? now.entries : undefined;
  return [...before.entries].flatMap(([column, part]) => {
    const entry = live?.shape === "map" && !declared?.has(column) ? live.entries.get(column) : undefined;
    return stillThere(part, entry).map((value) => unmanaged(liveEntity, facet, value, column));
  });
}

/** The live values that were declared before. What others put beside them is not ours to tell. */
function stillThere(before: FacetValue, live: FacetValue | undefined): readonly (Member | Scalar)[] {
  const declared = new Set(valuesOf(before).map(valueKey));
  return valuesOf(live).filter((value) => declared.has(valueKey(value)));
}

function unmanaged(
  { urn, kind }: Entity,
  facet: string,
  value: Member | Scalar,
  column?: string,
): UnmanagedValue {
  return { urn, kind, facet, ...(column !== undefined && { column }), value, reason: "no-longer-declared" };
}

/** What is unmanaged and stays, without what is ignored and what falls with a deletion, in the order in which it is shown. */
export function unmanagedToShow(
  all: readonly Unmanaged[],
  ignored: Ignored,
  deleted: ReadonlySet<string>,
): readonly Unmanaged[] {
  const stays = ({ urn, value }: Unmanaged): boolean =>
    !deleted.has(urn) && !textsIn(value ?? null).some((text) => deleted.has(text));
  const isOurs = ({ urn, facet, value }: Unmanaged): boolean =>
    !ignored.entity(urn) && (facet === undefined || !ignored.value(urn, facet, value));
  return orderUnmanaged(all.filter((each) => stays(each) && isOurs(each)));
}

/** What is unmanaged in the order in which it is shown. */
export function orderUnmanaged(all: readonly Unmanaged[]): readonly Unmanaged[] {
  return all.toSorted((a, b) => compareText(keyOfUnmanaged(a), keyOfUnmanaged(b)));
}

/** The text by which two such values are the same, and by which they are ordered. */
export function keyOfUnmanaged({ urn, facet = "", column = "", value = null }: Unmanaged): string {
  return [urn, facet, column, valueKey(value)].join("\n");
}
