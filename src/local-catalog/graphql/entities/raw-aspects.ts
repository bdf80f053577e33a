import { isJsonObject, type JsonObject } from "../../../model/json.ts";
import type { AspectReader } from "../../store/aspect-reader.ts";
import type { EntityField, FieldArguments } from "./field.ts";
import { entityTypeOfUrn, keyAspectOf } from "../../registry/entity-types.ts";

/**
 * Aspects as they are stored, as JSON text: those that are named, else all. The key aspect is made up from the
 * URN for an entity that was never written (EntityServiceImpl, alwaysIncludeKeyAspect). None of the served
 * aspects is rendered by DataHub's own page of aspects, so `autoRenderOnly` finds none.
 */
export const rawAspectsField: EntityField = {
  aspects: (args) => namedAspects(args) ?? [],
  read(urn, reader, args) {
    const names = namedAspects(args) ?? allAspects(urn, reader);
    return names.flatMap((aspectName) => {
      const value = reader.aspect(urn, aspectName) ?? madeUpKey(urn, aspectName);
      return value ? [{ aspectName, payload: JSON.stringify(value) }] : [];
    });
  },
};

function namedAspects(args: FieldArguments): readonly string[] | undefined {
  const input = isJsonObject(args["input"]) ? args["input"] : {};
  if (input["autoRenderOnly"] === true) return [];
  const names = input["aspectNames"];
  return Array.isArray(names) && names.length > 0
    ? names.filter((name) => typeof name === "string")
    : undefined;
}

function allAspects(urn: string, reader: AspectReader): readonly string[] {
  const keyAspect = entityTypeOfUrn(urn)?.keyAspect;
  const stored = reader.aspectNames(urn);
  return keyAspect === undefined || stored.includes(keyAspect) ? stored : [keyAspect, ...stored];
}

function madeUpKey(urn: string, aspect: string): JsonObject | undefined {
  const type = entityTypeOfUrn(urn);
  return type?.keyAspect === aspect ? keyAspectOf(type, urn) : undefined;
}
