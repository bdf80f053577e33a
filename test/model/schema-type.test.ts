import { expectTypeOf, test } from "vitest";
import type { FromSchema } from "../../src/model/schema-type.ts";

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
