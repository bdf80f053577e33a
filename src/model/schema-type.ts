/** The types of the values that fit a JSON Schema. A schema that is a constant is the only declaration of its document. */

import type { Json } from "./json.ts";

/** The type of the values that fit a schema, from the keywords that the schemas of this project use. */
export type FromSchema<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly then: infer Then; readonly else: infer Else }
      ? FromSchema<Then> | FromSchema<Else>
      : Schema extends { readonly items: infer Items }
        ? readonly FromSchema<Items>[]
        : Schema extends { readonly type: infer Type }
          ? OfType<Type extends readonly (infer Each)[] ? Each : Type, Schema>
          : Json;

type OfType<Type, Schema> = Type extends "string"
  ? string
  : Type extends "integer" | "number"
    ? number
    : Type extends "boolean"
      ? boolean
      : Type extends "object"
        ? Mapping<Schema>
        : null;

type Mapping<Schema> = Schema extends { readonly properties: infer Properties }
  ? Fields<Properties, Schema extends { readonly required: readonly (infer Key)[] } ? Key : never>
  : Schema extends { readonly additionalProperties: infer Values }
    ? Readonly<Record<string, FromSchema<Values>>>
    : Readonly<Record<string, Json>>;

type Fields<Properties, Required> = string extends keyof Properties
  ? Readonly<Record<string, FromSchema<Properties[keyof Properties]>>>
  : { readonly [Key in keyof Properties & Required]: FromSchema<Properties[Key]> } & {
      readonly [Key in Exclude<keyof Properties, Required>]?: FromSchema<NonNullable<Properties[Key]>>;
    };
