/** Replaces declared values with live values that the server treats as equal. */

import type { Facet } from "../../facets/facet.ts";
import { facetNamed } from "../../facets/index.ts";
import { isSameProse } from "../../facets/prose.ts";
import { type ServerFields, lacksField } from "../../model/live.ts";
import { type FacetValue, isSameValue, type Scalar, setOf, type State } from "../../model/state.ts";
import { alignedWith } from "../base/values.ts";

/**
 * Replaces declared texts with live texts that differ only in line endings and trailing whitespace, and declared elements with
 * live elements that the server treats as equal. Omits a declared text that the catalog already shows because ingestion wrote it
 * and no one has edited it.
 */
export function withLiveTexts(state: State, live: ServerFields & { readonly state: State }): State {
  return alignedWith(state, live.state, (value, there, facet) =>
    there ? withLiveForms(facetNamed(facet), value, there, live) : value,
  );
}

function withLiveForms(facet: Facet, value: FacetValue, there: FacetValue, live: ServerFields): FacetValue {
  if (facet.isProse) return likeLive(value, there);
  const alike = facet.shape === "set" ? facet.alike : undefined;
  if (!alike || value.shape !== "set" || there.shape !== "set" || !lacksField(live, alike.field))
    return value;
  const known = new Map(there.members.map((member) => [alike.keyOf(member), member]));
  const members = value.members.map((member) => known.get(alike.keyOf(member)) ?? member);
  return { ...value, ...setOf(members, value.origin) };
}

/** Replaces a declared value with its live equivalent. Returns the same object if there is nothing to replace. */
function likeLive(value: FacetValue, live: FacetValue): FacetValue {
  if (value.shape === "scalar" && live.shape === "scalar") {
    const like = (text: Scalar): Scalar => {
      const isKept = isSameValue(text, live.value) || !isSameProse(text, live.value ?? live.fallback ?? null);
      return isKept ? text : live.value;
    };
    const [own, since] = [like(value.value), value.since?.map(like)];
    const isSame =
      own === value.value && since?.every((text, index) => text === value.since?.[index]) !== false;
    return isSame ? value : { ...value, value: own, ...(since && { since }) };
  }
  if (value.shape !== "map" || live.shape !== "map") return value;
  const changed = [...value.entries].flatMap(([key, below]): readonly (readonly [string, FacetValue])[] => {
    const there = live.entries.get(key);
    const like = there ? likeLive(below, there) : below;
    return like === below ? [] : [[key, like]];
  });
  return changed.length === 0 ? value : { ...value, entries: new Map([...value.entries, ...changed]) };
}
