/** Reads the GraphQL field `aspects`, which contains stored aspects as JSON strings. */

import { isJsonObject, type JsonObject } from "../../../model/json.ts";
import { stringsAt } from "../../json.ts";
import type { AspectReader } from "../../store/aspect-reader.ts";
import type { EntityField, FieldArguments } from "./field.ts";
import { entityTypeOfUrn, keyAspectOf } from "../../registry/entity-types.ts";

/**
 * Reads the requested aspects, or all aspects if the request lists none. Derives the key aspect from the URN if the entity does
 * not exist (EntityServiceImpl, alwaysIncludeKeyAspect). With `autoRenderOnly`, the result is empty, because DataHub's UI does
 * not automatically render any of these aspects.
 */
export const rawAspectsField: EntityField = {
  aspects: (args) => namedAspects(args) ?? [],
  read(urn, reader, args, { restricted, hidesAspects }) {
    if (hidesAspects && restricted.has(urn)) return [];
    const names = namedAspects(args) ?? allAspects(urn, reader);
    return names.flatMap((aspectName) => {
      const value = reader.aspect(urn, aspectName) ?? derivedKey(urn, aspectName);
      return value ? [{ aspectName, payload: JSON.stringify(value) }] : [];
    });
  },
};

function namedAspects({ input }: FieldArguments): readonly string[] | undefined {
  if (!isJsonObject(input)) return undefined;
  const names = stringsAt(input, "aspectNames");
  if (input["autoRenderOnly"] === true) return [];
  return names.length > 0 ? names : undefined;
}

function allAspects(urn: string, reader: AspectReader): readonly string[] {
  const keyAspect = entityTypeOfUrn(urn)?.keyAspect;
  const stored = reader.aspectNames(urn);
  return keyAspect === undefined || stored.includes(keyAspect) ? stored : [keyAspect, ...stored];
}

function derivedKey(urn: string, aspect: string): JsonObject | undefined {
  const type = entityTypeOfUrn(urn);
  return type?.keyAspect === aspect ? keyAspectOf(type, urn) : undefined;
}
