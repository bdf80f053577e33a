/** Derives TypeScript types from JSON Schemas, so that a document's format is declared only once, in a constant schema. */

import type { Json, JsonObject } from "./json.ts";

declare const valueType: unique symbol;

/** A schema for values whose type cannot be derived from its keywords, such as URNs. */
export type SchemaOf<Value> = JsonObject & { readonly [valueType]?: Value };

/** The type of the values that a schema accepts, derived from the keywords that this project's schemas use. */
export type FromSchema<Schema> = Schema extends unknown
  ? typeof valueType extends keyof Schema
    ? ValueOf<Schema>
    : FromKeywords<Schema>
  : never;

type ValueOf<Schema> = Schema extends { readonly [valueType]?: infer Value } ? Value : never;

type FromKeywords<Schema> = Schema extends false
  ? never
  : Schema extends { readonly const: infer Value }
    ? Value
    : Schema extends { readonly enum: readonly (infer Value)[] }
      ? Value
      : Schema extends { readonly then: infer Then; readonly else: infer Else }
        ? FromSchema<Then> | FromSchema<Else>
        : Schema extends { readonly type: infer Type }
          ? OneOf<Schema, OfType<Type extends readonly (infer Each)[] ? Each : Type, Schema>>
          : Schema extends { readonly items: infer Items }
            ? readonly FromSchema<Items>[]
            : Schema extends { readonly properties: infer Properties }
              ? Fields<Properties, RequiredIn<Schema>>
              : Schema extends { readonly oneOf: unknown }
                ? OneOf<Schema, unknown>
                : Schema extends { readonly anyOf: readonly (infer Branch)[] }
                  ? FromSchema<Branch>
                  : Json;

type OfType<Type, Schema> = Type extends "string"
  ? string
  : Type extends "integer" | "number"
    ? number
    : Type extends "boolean"
      ? boolean
      : Type extends "array"
        ? readonly (Schema extends { readonly items: infer Items } ? FromSchema<Items> : Json)[]
        : Type extends "object"
          ? Mapping<Schema>
          : null;

/** A value that also matches one of the `oneOf` branches. A branch may make fields of the schema required. */
type OneOf<Schema, Value> = Schema extends { readonly oneOf: readonly (infer Branch)[] }
  ? Branch extends unknown
    ? Value & FromSchema<Branch> & Required<Pick<Value, RequiredIn<Branch> & keyof Value>>
    : never
  : Value;

type Mapping<Schema> = Schema extends { readonly properties: infer Properties }
  ? Fields<Properties, RequiredIn<Schema>>
  : Schema extends { readonly additionalProperties: infer Values }
    ? Readonly<Record<string, FromSchema<Values>>>
    : JsonObject;

type RequiredIn<Schema> = Schema extends { readonly required: readonly (infer Key)[] } ? Key : never;

type Fields<Properties, Required> = string extends keyof Properties
  ? Readonly<Record<string, FromSchema<Properties[keyof Properties]>>>
  : { readonly [Key in keyof Properties & Required]: FromSchema<Properties[Key]> } & {
      readonly [Key in Exclude<keyof Properties, Required>]?: FromSchema<NonNullable<Properties[Key]>>;
    };
