/** Determines who added a value. */

import type { ValuePlace } from "../model/change.ts";
import { CatalogError } from "../model/catalog-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { isListEdit, type ListEdit } from "../model/operation.ts";
import { leafAt, singleOf } from "../model/place.ts";
import { isSameValue, type Member, type Scalar } from "../model/state.ts";
import { facetNamed } from "./index.ts";
import { listAt } from "./stored-elements.ts";
import { valueInAspect } from "./writes.ts";

/**
 * Returns the attribution of a value or, if it has none, its newest stamp. If several sources have their own entries for the
 * value (TagAssociation.pdl), the newest entry is used.
 */
export function attributionIn(
  place: ValuePlace,
  value: Member | Scalar,
  aspect: JsonObject,
): JsonObject | undefined {
  const { scalar, set, storedIn } = facetNamed(place.facet);
  const name = storedIn?.(place.kind) ?? "";
  const edits = [
    ...(set?.editing?.edits(place, [], []) ?? []),
    ...(scalar?.editing?.edits({ ...place, after: null }) ?? []),
  ];
  const stamps = edits.filter(isListEdit).flatMap(({ at }) =>
    listAt(aspect, at)
      .filter((entry) => isReadAs(place, value, name, aspectWith(entry, at)))
      .flatMap(
        ({ attribution, updateStamp, createStamp }) => attribution ?? updateStamp ?? createStamp ?? [],
      ),
  );
  return stamps.filter(isJsonObject).toSorted((a, b) => timeOf(b) - timeOf(a))[0];
}

/** Builds an aspect whose list at the given path contains only the given entry. */
function aspectWith(entry: JsonObject, [step, ...below]: ListEdit["at"]): Json {
  if (step === undefined) return [entry];
  const inner = aspectWith(entry, below);
  if (typeof step === "string") return { [step]: inner };
  return [{ ...step, ...(isJsonObject(inner) && inner) }];
}

/** Whether the facet reads exactly this value from the aspect, without an error. */
function isReadAs(place: ValuePlace, value: Member | Scalar, name: string, aspect: Json): boolean {
  const shape = facetNamed(place.facet).set ? "set" : "scalar";
  try {
    const leaf = leafAt(
      valueInAspect([{ ...place, shape }], name, isJsonObject(aspect) ? aspect : {}),
      place.path,
    );
    const values = leaf?.shape === "set" ? [...leaf.members, singleOf(leaf).value] : [leaf?.value ?? null];
    return values.some((each) => isSameValue(each, value));
  } catch (error) {
    if (error instanceof CatalogError) return false;
    throw error;
  }
}

function timeOf({ time }: JsonObject): number {
  return typeof time === "number" ? time : 0;
}
