import { facetNamed } from "../../facets/index.ts";
import { compareText } from "../../model/json.ts";
import type { Live } from "../../model/live.ts";
import type { Unmanaged } from "../../model/plan.ts";
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
export function ingestedIn(desired: State, live: Live): readonly Unmanaged[] {
  return live.unmanaged.filter(({ urn, facet, column, value }) => {
    const declared = desired.get(urn)?.facets.get(facet);
    const entry =
      declared?.shape === "map" && column !== undefined ? declared.entries.get(column) : undefined;
    return entry?.shape === "set" && !entry.members.some((member) => memberKey(member) === value);
  });
}

/**
 * The live values of what base declared and nobody declares any more: a facet, a column, or a whole entity. Members of
 * groups are not among them: two sides declare them (`withMembers`).
 */
export function noLongerDeclared(desired: State, live: State, base: State): readonly Unmanaged[] {
  return [...base.values()].flatMap((before) => {
    const liveEntity = live.get(before.urn);
    const now = desired.get(before.urn);
    return liveEntity
      ? [...before.facets].flatMap(([facet, value]) =>
          leftIn(liveEntity, facet, value, now?.facets.get(facet)),
        )
      : [];
  });
}

function leftIn(
  liveEntity: Entity,
  facet: string,
  before: FacetValue,
  now: FacetValue | undefined,
): readonly Unmanaged[] {
  // What nobody can declare was not declared before, either.
  if (facetNamed(facet).schema === undefined) return [];
  const live = liveEntity.facets.get(facet);
  if (before.shape !== "map")
    return now ? [] : valuesOf(live).map((value) => unmanaged(liveEntity, facet, value));
  const declared = now?.shape === "map" ? now.entries : undefined;
  return [...before.entries.keys()].flatMap((column) => {
    const entry = live?.shape === "map" && !declared?.has(column) ? live.entries.get(column) : undefined;
    return valuesOf(entry).map((value) => unmanaged(liveEntity, facet, value, column));
  });
}

function unmanaged({ urn, kind }: Entity, facet: string, value: Member | Scalar, column?: string): Unmanaged {
  return { urn, kind, facet, ...(column !== undefined && { column }), value, reason: "no-longer-declared" };
}

/** What is unmanaged and stays, without what is ignored and what falls with a deletion, in the order in which it is shown. */
export function unmanagedToShow(
  all: readonly Unmanaged[],
  ignored: Ignored,
  deleted: ReadonlySet<string>,
): readonly Unmanaged[] {
  const stays = ({ urn, value }: Unmanaged): boolean =>
    !deleted.has(urn) && !textsIn(value).some((text) => deleted.has(text));
  const isOurs = ({ urn, facet, value }: Unmanaged): boolean =>
    !ignored.entity(urn) && !ignored.value(urn, facet, value);
  return all
    .filter((each) => stays(each) && isOurs(each))
    .toSorted((a, b) => compareText(keyOfUnmanaged(a), keyOfUnmanaged(b)));
}

function keyOfUnmanaged({ urn, facet, column = "", value }: Unmanaged): string {
  return [urn, facet, column, valueKey(value)].join("\n");
}
