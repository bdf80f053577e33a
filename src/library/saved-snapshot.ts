import type { JsonObject } from "../model/json.ts";
import { invalidBy, parseObject, type SavedFault } from "../report/saved-plan.ts";
import { isAsSealed, sealed } from "../plan/hash.ts";
import type { Snapshot } from "../run/snapshot/snapshot.ts";

const text: JsonObject = { type: "string" };

const urns: JsonObject = { type: "array", items: { type: "string", pattern: "^urn:li:" } };

const schema: JsonObject = {
  type: "object",
  required: ["tool", "createdAt", "target", "fields", "entities", "seal"],
  properties: {
    tool: text,
    createdAt: { type: "string", pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$` },
    target: text,
    redacted: { const: true },
    fields: { type: "array", items: text },
    found: {
      type: "array",
      items: {
        type: "object",
        required: ["type", "anyOf", "urns"],
        properties: {
          type: text,
          anyOf: { type: "array", items: { type: "array", items: { type: "object" } } },
          urns,
        },
        additionalProperties: false,
      },
    },
    definitions: {
      type: "array",
      items: {
        type: "object",
        required: ["type", "urns", "softDeleted"],
        properties: { type: text, urns, softDeleted: urns },
        additionalProperties: false,
      },
    },
    entities: {
      type: "object",
      propertyNames: { pattern: "^urn:li:" },
      additionalProperties: {
        type: "object",
        required: ["exists", "entity"],
        properties: {
          exists: { type: ["boolean", "null"] },
          entity: { type: ["object", "null"] },
          stored: { type: "object" },
          members: { type: "array", items: text },
          error: text,
        },
        additionalProperties: false,
      },
    },
  },
};

/** A snapshot as JSON, sealed. */
export function snapshotJson(snapshot: Snapshot): object {
  return sealed(snapshot);
}

/** The snapshot in a text. One that was edited since it was taken is a fault, and so is another document. */
export function parseSnapshot(written: string): { readonly snapshot: Snapshot } | SavedFault {
  const parsed = parseObject(written);
  if ("fault" in parsed) return parsed;
  const { value } = parsed;
  if (value["entities"] === undefined) return { fault: "foreign" };
  const invalid = invalidBy(schema, value);
  if (invalid) return invalid;
  if (!isAsSealed(value)) return { fault: "edited" };
  const { seal: _, ...snapshot } = value;
  return { snapshot: snapshot as unknown as Snapshot };
}
