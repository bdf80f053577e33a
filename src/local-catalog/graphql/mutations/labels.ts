/** Checks, adds and removes labels. DataHub uses the word "label" for tags and glossary terms. */

import type { JsonObject } from "../../../model/json.ts";
import { entityExists } from "../../store/aspect-write.ts";
import { isOfType } from "../../registry/entity-urn.ts";
import { badRequest } from "../errors.ts";
import { objectAt, objectsAt } from "../../json.ts";
import { userStamp } from "./mutation.ts";
import type { RequestContext } from "../request-context.ts";
import { type Target, withColumnInfo } from "./target.ts";
import { writeAsUser } from "../write-as-user.ts";

/** A label type, and the aspect and keys under which labels of this type are stored. */
export interface Label {
  readonly type: "tag" | "glossaryTerm";
  readonly aspect: "globalTags" | "glossaryTerms";
  /** The aspect's list of labels. In each entry, the field that `key` specifies contains the label's URN. */
  readonly list: "tags" | "terms";
  readonly key: "tag" | "urn";
}

export const tag: Label = { type: "tag", aspect: "globalTags", list: "tags", key: "tag" };

export const term: Label = { type: "glossaryTerm", aspect: "glossaryTerms", list: "terms", key: "urn" };

interface Change {
  readonly urns: readonly string[];
  readonly context: RequestContext;
}

/**
 * Adds labels to entities and columns. Computes all new values before the first write. If several targets share an aspect, only
 * the last value is written.
 */
export function addLabels(targets: readonly Target[], label: Label, { urns, context }: Change): void {
  change(targets, label, context, (labels) => {
    const entries = objectsAt(labels, label.list);
    const known = new Set(entries.map((entry) => entry[label.key]));
    const added = urns.filter((urn) => !known.has(urn)).map((urn) => ({ [label.key]: urn }));
    return { ...labels, ...stampOf(label, context), [label.list]: [...entries, ...added] };
  });
}

/**
 * Removes labels from entities and columns, and writes in the same way as `addLabels`. For a column, DataHub adds no audit stamp
 * to the remaining terms, and rejects the write if there is no stamp from an earlier addition.
 */
export function removeLabels(targets: readonly Target[], label: Label, { urns, context }: Change): void {
  const removed = new Set<unknown>(urns);
  change(targets, label, context, (labels, isColumn) => {
    const rest = objectsAt(labels, label.list).filter((entry) => !removed.has(entry[label.key]));
    return { ...labels, ...(isColumn ? {} : stampOf(label, context)), [label.list]: rest };
  });
}

function stampOf({ type }: Label, context: RequestContext): JsonObject {
  return type === "glossaryTerm" ? { auditStamp: userStamp(context) } : {};
}

function change(
  targets: readonly Target[],
  { aspect }: Label,
  context: RequestContext,
  changed: (labels: JsonObject, isColumn: boolean) => JsonObject,
): void {
  const writes = new Map<string, () => void>();
  for (const { resourceUrn: urn, subResource } of targets) {
    const column = subResource ?? "";
    const written = column === "" ? aspect : "editableSchemaMetadata";
    const before = context.store.latest(urn, written)?.value ?? {};
    const after =
      column === ""
        ? changed(before, false)
        : withColumnInfo(before, column, (info) => ({
            ...info,
            [aspect]: changed(objectAt(info, aspect) ?? {}, true),
          }));
    writes.set(`${written} ${urn}`, () => writeAsUser(context, urn, written, after));
  }
  for (const write of writes.values()) write();
}

/**
 * Checks that a label exists and has the right type (LabelUtils.validateLabel).
 * @throws GraphQLError 400 with DataHub's message.
 */
export function checkLabel(urn: string, label: Label, context: RequestContext): void {
  if (!isOfType(urn, label.type))
    throw badRequest(
      `Failed to validate label with urn ${urn}. Urn type does not match entity type ${label.type}..`,
    );
  if (!entityExists(context.store, urn))
    throw badRequest(`Failed to validate label with urn ${urn}. Urn does not exist.`);
}
