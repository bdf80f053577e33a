import { simpleColumn } from "../../facets/columns.ts";
import { facetNamed } from "../../facets/index.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { mapKeys } from "../schema/schema.ts";
import { type DeclaredPlace, declaredPlaces } from "./declared-places.ts";
import type { Edit, NewValue, Path } from "./edit.ts";
import type { NamedText } from "./edit-manifests.ts";
import { manifestTextOf } from "./manifest-text.ts";
import { elementKeyOf, type WantedValue } from "./wanted-values.ts";

/** An edit, and what it is for. */
export interface WantedEdit {
  readonly edit: Edit;
  readonly wanted: WantedValue;
}

/**
 * The edits of a text by which its manifests say what is wanted, at each place of it that declares the value: every list loses
 * elements, and only the first one gains some. `placed` are the values that texts before declare; those of this one are added.
 */
export function editsFor(
  { name, text }: NamedText,
  wanted: readonly WantedValue[],
  placed: Set<WantedValue>,
): readonly WantedEdit[] {
  const manifests = manifestTextOf(name, text);
  const places = manifests ? declaredPlaces(manifests) : [];
  return wanted.flatMap((each) =>
    places
      .filter(({ urn }) => urn === each.urn)
      .flatMap((place): readonly WantedEdit[] => {
        const path = pathIn(place, each);
        if (!path) return [];
        const value = newValue(each, !placed.has(each));
        placed.add(each);
        const edit = { manifest: place.manifest, path: [...place.path, ...path], value };
        return [{ edit, wanted: each }];
      }),
  );
}

/** The way to a value in a mapping that declares it. */
function pathIn({ fields }: DeclaredPlace, { facet, path }: WantedValue): Path | undefined {
  const column = path?.[0];
  if (column === undefined) return fields[facet] === undefined ? undefined : [facet];
  const { parent, child } = mapKeys(facet);
  const columns = fields[parent];
  if (!isJsonObject(columns)) return undefined;
  const written = [column, simpleColumn(column)].find((each) => {
    const own = Object.hasOwn(columns, each) ? columns[each] : undefined;
    return isJsonObject(own) && own[child] !== undefined;
  });
  return written === undefined ? undefined : [parent, written, child];
}

function newValue({ facet, value }: WantedValue, isFirst: boolean): NewValue {
  const form = facetNamed(facet);
  const written = (each: Member | Scalar): Json => form.written(each);
  if (!("single" in value)) {
    const [add, remove] = [isFirst ? value.add.map(written) : [], value.remove.map(written)];
    return { type: "list", add, remove, keyOf: elementKeyOf(facet) };
  }
  const single = value.single === null ? null : written(value.single);
  return { type: "scalar", value: typeof single === "object" ? null : single };
}
