import { facetsOf } from "../../facets/index.ts";
import { findKind } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonList, isJsonObject, type JsonObject } from "../../model/json.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import type { Path } from "./edit.ts";
import { isReadable, type ManifestText } from "./manifest-text.ts";

/** A mapping that declares facets of an entity: a manifest, or an element of a list that is written out. */
export interface DeclaredPlace {
  readonly urn: Urn;
  readonly manifest: number;
  readonly path: Path;
  readonly fields: JsonObject;
}

/** All that a text declares, with the way to it. Of a text that is not valid nothing. */
export function declaredPlaces(text: ManifestText): readonly DeclaredPlace[] {
  if (!isReadable(text)) return [];
  return text.manifests.flatMap(({ value }, manifest): readonly DeclaredPlace[] => {
    if (!isJsonObject(value)) return [];
    const { kind: named } = value;
    const kind = typeof named === "string" ? findKind(named) : undefined;
    const identity = kind?.urnOf(value);
    if (!kind || !identity || !("urn" in identity)) return [];
    return [{ urn: identity.urn, manifest, path: [], fields: value }, ...inlinePlaces(kind, value, manifest)];
  });
}

function inlinePlaces({ name }: Kind, value: JsonObject, manifest: number): readonly DeclaredPlace[] {
  return facetsOf(name).flatMap((facet) => {
    const list = facet.inlineKind === undefined ? undefined : value[facet.name];
    return (isJsonList(list) ? list : []).flatMap((fields, index): readonly DeclaredPlace[] => {
      const parsed = isJsonObject(fields) ? facet.parse(fields) : undefined;
      if (!isJsonObject(fields) || !parsed || !("value" in parsed) || !isUrn(parsed.value)) return [];
      return [{ urn: parsed.value, manifest, path: [facet.name, index], fields }];
    });
  });
}
