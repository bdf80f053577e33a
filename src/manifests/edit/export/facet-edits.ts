/** Computes the edits that change declared facets to the desired facets, and determines whether edits only remove live values. */

import { facetNamed } from "../../../facets/index.ts";
import { isSameProse, normalProse } from "../../../facets/prose.ts";
import { namesAmong, namesOfPlace } from "../../../facets/places.ts";
import { canonicalJson } from "../../../model/json.ts";
import { type Place, placedLeaves, placeKey } from "../../../model/place.ts";
import {
  type Entity,
  isSameValue,
  type Leaf,
  memberKey,
  type Scalar,
  without,
} from "../../../model/state.ts";
import type { Urn } from "../../../model/urn.ts";
import type { Edit, NewValue } from "../edit.ts";

type Facets = Entity["facets"];

/**
 * Returns the edits that change an entity's manifest from one set of facets to another. Keeps the manifest's spelling of keys if
 * possible.
 */
export function editsBetween(urn: Urn, before: Facets, after: Facets): readonly Edit[] {
  const wanted = new Map(placedLeaves(after).map((each) => [placeKey(each.place), each]));
  const declared = placedLeaves(before);
  const exact = new Set(declared.map(({ place }) => placeKey(place)));
  const edits = declared.flatMap(({ place, leaf }): readonly Edit[] => {
    // A column's plain name may be another column's path in the manifest.
    const name = namesOfPlace(place)
      .map(placeKey)
      .find((key, index) => wanted.has(key) && (index === 0 || !exact.has(key)));
    const next = name === undefined ? undefined : wanted.get(name);
    wanted.delete(name ?? "");
    const value = next ? newValue(place, next.leaf, leaf) : ({ type: "undeclared" } as const);
    return value ? [{ urn, ...place, value }] : [];
  });
  const added = [...wanted.values()].flatMap(({ place, leaf }): readonly Edit[] => {
    const value = newValue(place, leaf);
    return value ? [{ urn, ...place, value }] : [];
  });
  return [...edits, ...added];
}

function newValue({ facet }: Place, after: Leaf, before?: Leaf): NewValue | undefined {
  if (after.shape === "scalar") {
    const isSame = facetNamed(facet).isProse ? isSameProse : isSameValue;
    return before?.shape === "scalar" && isSame(before.value, after.value)
      ? undefined
      : { type: "scalar", value: after.value };
  }
  const previous = before?.shape === "set" ? before.members : [];
  const [add, remove] = [without(after.members, previous), without(previous, after.members)];
  return before && add.length + remove.length === 0 ? undefined : { type: "elements", add, remove };
}

/** Whether the change from `before` to `after` only removes values, and all values in `before` are live. */
export function onlyLosesLiveValues(live: Facets, before: Facets, after: Facets): boolean {
  const exact = new Map(
    placedLeaves(live).flatMap(({ place }) =>
      namesAmong(place, live.get(place.facet)).map((name) => [placeKey(name), placeKey(place)] as const),
    ),
  );
  const [all, previous, next] = [live, before, after].map((facets) => valueTexts(facets, exact));
  return (
    [...(next ?? [])].every((each) => previous?.has(each)) &&
    [...(previous ?? [])].every((each) => all?.has(each))
  );
}

/**
 * Returns one identifying string for each facet value and each empty list. `exact` maps column names to their exact keys, so that
 * differences in spelling do not matter.
 */
function valueTexts(facets: Facets, exact: ReadonlyMap<string, string>): ReadonlySet<string> {
  return new Set(
    placedLeaves(facets).flatMap(({ place, leaf }) => {
      const key = exact.get(placeKey(place)) ?? placeKey(place);
      const normal = (value: Scalar): Scalar =>
        facetNamed(place.facet).isProse ? normalProse(value) : value;
      const values =
        leaf.shape === "scalar" ? [canonicalJson(normal(leaf.value))] : leaf.members.map(memberKey);
      return (values.length > 0 ? values : ["[]"]).map((value) => `${key}\0${value}`);
    }),
  );
}
