import { expectTypeOf, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import type { FromSchema, SchemaOf } from "../../src/model/schema-type.ts";

test("a schema gives the type of its values", () => {
  const schema = {
    type: "object",
    required: ["id"],
    properties: {
      id: { type: "string", minLength: 1 },
      mode: { enum: ["a", "b"] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      keep: { if: { type: "boolean" }, then: { const: false }, else: { type: "integer" } },
      when: { type: ["string", "null"] },
      names: { type: "array", items: { type: "string" } },
      limits: { type: "object", additionalProperties: { type: "number" } },
    },
  } as const;

  expectTypeOf<FromSchema<typeof schema>>().branded.toEqualTypeOf<{
    readonly id: string;
    readonly mode?: "a" | "b";
    readonly keep?: false | number;
    readonly when?: string | null;
    readonly names?: readonly string[];
    readonly limits?: Readonly<Record<string, number>>;
  }>();
});

test("a schema whose keywords do not say the type of its values names it", () => {
  const schema = {
    type: "object",
    required: ["urn"],
    properties: { urn: { type: "string" } as SchemaOf<`urn:${string}`>, values: { type: "array" } },
  } as const;
  expectTypeOf<FromSchema<typeof schema>>().branded.toEqualTypeOf<{
    readonly urn: `urn:${string}`;
    readonly values?: readonly Json[];
  }>();
  expectTypeOf<FromSchema<{ readonly anyOf: readonly [SchemaOf<1>, { readonly const: 2 }] }>>().toEqualTypeOf<
    1 | 2
  >();
});

test("a schema with branches gives a union, in which a branch requires, narrows and forbids fields", () => {
  const schema = {
    type: "object",
    required: ["shape"],
    properties: { shape: { enum: ["one", "many"] }, value: { type: "string" }, count: { type: "number" } },
    oneOf: [
      { required: ["value"], properties: { shape: { const: "one" }, count: false } },
      { required: ["count"], properties: { shape: { const: "many" } } },
    ],
  } as const;
  type Found = FromSchema<typeof schema>;
  expectTypeOf<Extract<Found, { shape: "one" }>["value"]>().toEqualTypeOf<string>();
  expectTypeOf<Extract<Found, { shape: "one" }>["count"]>().toEqualTypeOf<undefined>();
  expectTypeOf<Extract<Found, { shape: "many" }>["count"]>().toEqualTypeOf<number>();
});
