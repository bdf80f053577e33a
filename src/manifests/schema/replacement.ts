/** Suggests replacement text for values of the wrong type. */

import type { ErrorObject } from "ajv";
import { isJsonObject } from "../../model/json.ts";
import { listOf, mappingOf, numberOf } from "./schema-part.ts";

type Schema = Readonly<Record<string, unknown>>;

interface WrongValue {
  readonly expected: string;
  readonly error: ErrorObject;
  /** The value's source text, if it is short. */
  readonly source: string;
  readonly plain: boolean;
  readonly canUnset: boolean;
}

/** Returns the text to write instead of a value; `undefined` if there is no obvious replacement. */
export function suggestedText(misfit: WrongValue): string | undefined {
  const { expected, error, source } = misfit;
  if (source.length > 60 || source.includes("\n")) return undefined;
  const data: unknown = error.data;
  if (expected === "string") return textFor(misfit, data);
  if (expected === "integer") return numberFor(error.parentSchema ?? {}, data);
  if (expected === "array") return listFor(misfit, data);
  return expected === "object" ? mappingFor(misfit, data) : undefined;
}

function textFor({ source, canUnset }: WrongValue, data: unknown): string | undefined {
  if (typeof data === "number" || typeof data === "boolean") return JSON.stringify(source);
  if (!Array.isArray(data)) return undefined;
  if (data.length === 0) return canUnset ? "none" : undefined;
  return data.length === 1 && typeof data[0] === "string" ? data[0] : undefined;
}

/** Returns `30` for `30%` or `"30"`. Also returns `30` for `0.3` if the schema expects a percentage. */
function numberFor(schema: Schema, data: unknown): string | undefined {
  const maximum = numberOf(schema["maximum"]);
  if (typeof data === "number") {
    return maximum === 100 && data > 0 && data < 1 ? String(Math.round(data * 100)) : undefined;
  }
  const [, digits, percent] = (typeof data === "string" && /^(\d{1,9})\s*(%?)$/.exec(data.trim())) || [];
  const fits = digits !== undefined && Number(digits) <= (maximum ?? Number.POSITIVE_INFINITY);
  return fits && (percent === "" || maximum === 100) ? String(Number(digits)) : undefined;
}

function listFor({ source, plain, error }: WrongValue, data: unknown): string | undefined {
  if (data === "none" && plain) return "[]";
  if (plain && /[[\]{},]/.test(source)) return undefined;
  const items: unknown = error.parentSchema?.["items"];
  if (isJsonObject(data)) return source.startsWith("{") ? `[${source}]` : undefined;
  if (isJsonObject(items) && items["type"] === "object") {
    const wrapped = choices(items, source);
    return wrapped === undefined ? undefined : `[${wrapped}]`;
  }
  return typeof data === "string" ? `[${source}]` : `[${JSON.stringify(source)}]`;
}

function mappingFor({ source, error }: WrongValue, data: unknown): string | undefined {
  const schema = error.parentSchema ?? {};
  const properties = Object.entries(mappingOf(schema["properties"]));
  if (!Array.isArray(data)) return choices(schema, source) ?? wordFor(properties, data);
  const [name, field] = properties.find(([, each]) => isJsonObject(each) && each["type"] === "array") ?? [];
  return field !== undefined && source.startsWith("[") ? `{ ${name}: ${source} }` : undefined;
}

/** Builds a mapping from a bare word or number. The key is the first field that allows the value, or the only field. */
function wordFor(properties: readonly (readonly [string, unknown])[], data: unknown): string | undefined {
  if (Number.isInteger(data) && properties.length === 1) return `{ ${properties[0]?.[0]}: ${String(data)} }`;
  for (const [name, field] of properties) {
    const schema = mappingOf(field);
    if (listOf(schema["enum"]).includes(data)) return `{ ${name}: ${String(data)} }`;
    const number =
      typeof data === "string" && schema["maximum"] === 100 ? numberFor(schema, data) : undefined;
    if (number !== undefined) return `{ ${name}: ${number} }`;
  }
  return undefined;
}

/** Builds a mapping from a bare id, with the key that the schema's first alternative requires. */
function choices(schema: Schema, source: string): string | undefined {
  if (source === "") return undefined;
  const [name] = listOf(schema["oneOf"]).flatMap((branch) => listOf(mappingOf(branch)["required"]));
  return typeof name === "string" ? `{ ${name}: ${source} }` : undefined;
}
