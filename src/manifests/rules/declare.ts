import type { ErrorObject } from "ajv";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import { offsetOf, pointerTo, type Root } from "../schema/schema-path.ts";
import { declarableKeys, declareKey } from "./rule-schema.ts";

const declarePath = pointerTo(declareKey);

/** Whether a rule has what it declares beside its other keys: valid before `declare` came to be. */
export function isEarlierForm(value: JsonObject, kind: Kind): boolean {
  return value[declareKey] === undefined && declarableKeys(kind.name).some((key) => value[key] !== undefined);
}

/** A rule of the earlier form as it is written today. */
export function withDeclare(value: JsonObject, kind: Kind): JsonObject {
  const keys = new Set(declarableKeys(kind.name));
  const entries = Object.entries(value);
  return {
    ...Object.fromEntries(entries.filter(([key]) => !keys.has(key))),
    [declareKey]: Object.fromEntries(entries.filter(([key]) => keys.has(key))),
  };
}

/** The mapping that declares: empty where there is none. */
export function declareOf(root: Root): Root {
  const { [declareKey]: declare } = root.value;
  const value = isJsonObject(declare) ? declare : {};
  return { ...root, value, start: offsetOf(root, [declareKey], true) };
}

/** Whether an error of a rule is about what is below `declare`. */
export function isBelowDeclare({ instancePath, keyword }: ErrorObject): boolean {
  return (
    instancePath.startsWith(`${declarePath}/`) ||
    (instancePath === declarePath && keyword === "additionalProperties")
  );
}

/** An error of a rule as one of the mapping that declares. */
export function withoutDeclare(error: ErrorObject): ErrorObject {
  return { ...error, instancePath: error.instancePath.slice(declarePath.length) };
}
