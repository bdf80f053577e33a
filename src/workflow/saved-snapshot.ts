/** Writes snapshots as JSON with a seal, and parses them. */

import { list, object, record, text, urn } from "../model/schema-parts.ts";
import type { SchemaOf } from "../model/schema-type.ts";
import { fitting, parseObject, type SavedFault } from "../report/saved/saved-plan.ts";
import { isSealValid, sealed } from "../plan/base/hash.ts";
import { type Snapshot, snapshotVersion } from "../sync/snapshot/snapshot.ts";

const answer = record(
  {},
  { entity: { type: ["object", "null"] }, exists: { type: ["boolean", "null"] }, error: text },
);

const entry = record({ answers: { type: "object", additionalProperties: answer } }, { stored: object });

const schema: SchemaOf<Snapshot & { readonly seal: string }> = {
  ...record(
    {
      tool: text,
      createdAt: { type: "string", pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$` },
      target: text,
      definitions: list(record({ type: text, urns: list(urn), softDeleted: list(urn) })),
      entities: { type: "object", propertyNames: { pattern: "^urn:li:" }, additionalProperties: entry },
      seal: text,
    },
    {
      redacted: { const: true },
      found: list(record({ type: text, anyOf: list(list(object)), urns: list(urn) })),
    },
  ),
  additionalProperties: true,
};

/** Converts a snapshot to JSON, with a seal that makes later edits detectable. */
export function snapshotJson(snapshot: Snapshot): object {
  return sealed(snapshot);
}

/** Parses a snapshot. Returns a fault if the text is a different kind of document or an edited snapshot. */
export function parseSnapshot(written: string): { readonly snapshot: Snapshot } | SavedFault {
  const parsed = parseObject(written, snapshotVersion, "entities");
  if ("fault" in parsed) return parsed;
  const fitted = fitting(schema, parsed.value);
  if ("fault" in fitted) return fitted;
  if (!isSealValid(parsed.value)) return { fault: "edited" };
  const { seal: _, ...snapshot } = fitted.value;
  return { snapshot };
}
