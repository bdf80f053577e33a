/** Writes snapshots as JSON with a seal, and parses them again. */

import type { JsonObject } from "../model/json.ts";
import { schemaFault, parseObject, type SavedFault } from "../report/saved/saved-plan.ts";
import { isSealValid, sealed } from "../plan/base/hash.ts";
import { type Snapshot, snapshotVersion } from "../sync/snapshot/snapshot.ts";

const text: JsonObject = { type: "string" };

const urns = listOf({ type: "string", pattern: "^urn:li:" });

const answer = objectOf(
  {},
  { entity: { type: ["object", "null"] }, exists: { type: ["boolean", "null"] }, error: text },
);

const entry = objectOf(
  { answers: { type: "object", additionalProperties: answer } },
  { stored: { type: "object" } },
);

const schema: JsonObject = {
  ...objectOf(
    {
      tool: text,
      createdAt: { type: "string", pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$` },
      target: text,
      definitions: listOf(objectOf({ type: text, urns, softDeleted: urns })),
      entities: { type: "object", propertyNames: { pattern: "^urn:li:" }, additionalProperties: entry },
      seal: text,
    },
    {
      redacted: { const: true },
      found: listOf(objectOf({ type: text, anyOf: listOf(listOf({ type: "object" })), urns })),
    },
  ),
  additionalProperties: true,
};

function listOf(items: JsonObject): JsonObject {
  return { type: "array", items };
}

function objectOf(properties: JsonObject, optional: JsonObject = {}): JsonObject {
  return {
    type: "object",
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
    additionalProperties: false,
  };
}

/** A snapshot as JSON, with a seal that shows later edits. */
export function snapshotJson(snapshot: Snapshot): object {
  return sealed(snapshot);
}

/** The snapshot in a text, or a fault if the text is another document or a snapshot that was edited. */
export function parseSnapshot(written: string): { readonly snapshot: Snapshot } | SavedFault {
  const parsed = parseObject(written, snapshotVersion, "entities");
  if ("fault" in parsed) return parsed;
  const { value } = parsed;
  const invalid = schemaFault(schema, value);
  if (invalid) return invalid;
  if (!isSealValid(value)) return { fault: "edited" };
  const { seal: _, ...snapshot } = value;
  return { snapshot: snapshot as unknown as Snapshot };
}
