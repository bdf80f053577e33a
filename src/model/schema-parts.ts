/** Builds parts of JSON Schemas, from which TypeScript types are derived. */

import type { JsonObject } from "./json.ts";
import type { SchemaOf } from "./schema-type.ts";
import type { Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

export const count = { type: "integer", minimum: 0 } as const;
export const text = { type: "string" } as const;
export const textOrNull = { type: ["string", "null"] } as const;
export const urn: SchemaOf<Urn> = { type: "string", pattern: "^urn:li:" };
const part: JsonObject = { type: ["string", "number"] };
export const scalar: SchemaOf<Scalar> = {
  type: ["string", "number", "boolean", "object", "null"],
  additionalProperties: part,
};
export const member: SchemaOf<Member> = { type: ["string", "number", "object"], additionalProperties: part };
/** The schema for an object in DataHub's storage format. */
export const object = { type: "object" } as const;
export const position = { type: "integer", minimum: 1 } as const;
export const sha256 = { type: "string", pattern: "^sha256:[0-9a-f]{64}$" } as const;
export const place = { file: text, line: position, column: position } as const;
export const origin = record(place);
export const keys = { type: "array", items: text, minItems: 1 } as const;

type Schemas = Readonly<Record<string, JsonObject>>;
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- no keywords
type None = Readonly<Record<never, never>>;

/** The schema for an object that has the given fields and no others. */
export type RecordSchema<Required, Optional, More> = More & {
  readonly type: "object";
  readonly properties: Required & Optional;
  readonly required: readonly (keyof Required & string)[];
  readonly additionalProperties: false;
};

/** Creates a schema for an object that has the given fields and no others. */
export function record<
  const Required extends Schemas,
  const Optional extends Schemas = None,
  const More extends JsonObject = None,
>(required: Required, optional?: Optional, constraints?: More): RecordSchema<Required, Optional, More>;
export function record(required: Schemas, optional: Schemas = {}, constraints: JsonObject = {}): JsonObject {
  return {
    type: "object",
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
    ...constraints,
  };
}

/** Creates a schema for a list. */
export function list<const Items extends JsonObject>(items: Items) {
  return { type: "array", items } as const;
}

/** Creates several fields that have the same schema. */
export function fields<const Schema extends JsonObject, Name extends string>(
  schema: Schema,
  ...names: readonly Name[]
): Readonly<Record<Name, Schema>>;
export function fields(schema: JsonObject, ...names: readonly string[]): Schemas {
  return Object.fromEntries(names.map((name) => [name, schema]));
}

/** Adds a description to a schema. */
export function described<const Schema extends JsonObject>(schema: Schema, description: string): Schema {
  return { ...schema, description };
}
