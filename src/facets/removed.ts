/**
 * Defines the facet `removed`: whether a definition is soft-deleted. For a declared entity, the implied value is false, so an
 * apply restores a soft-deleted entity.
 */

import { kindOf, kinds } from "../kinds/index.ts";
import { isJsonObject, type Json } from "../model/json.ts";
import { malformed } from "../model/answer.ts";
import { proposal, scalarFacet } from "./build.ts";

/**
 * Whether a definition is soft-deleted. Manifests cannot declare this facet, because declared entities are not soft-deleted. It
 * is read from the stored aspect, because `CorpUser.status` has a different meaning (SDL/entity.graphql), and structured
 * properties have no such field.
 */
export const removed = scalarFacet({
  name: "removed",
  kinds: kinds
    .filter(({ lifecycle, softDeletable }) => lifecycle === "owned" && softDeletable)
    .map(({ name }) => name),
  implied: { for: "every-entity", value: () => false },
  format: (value) => (value === true ? "true (soft-deleted)" : "false (restored)"),
  blank: false,
  makesReferenceable: true,
  aspects: () => ["status"],
  isOnlyStored: (kind) => kindOf(kind).aspectFields !== undefined,
  parse: () => ({ value: false, references: [] }),
  observe: ({ status }) => isSoftDeleted(status),
  requests: ({ urn, after }) => [proposal(urn, "status", { removed: after })],
});

/** Whether a `status` aspect marks the entity as soft-deleted. Throws `CatalogError` if the aspect is malformed. */
export function isSoftDeleted(status: Json | undefined): boolean {
  if (status === undefined || status === null) return false;
  const isRemoved = isJsonObject(status) ? (status["removed"] ?? false) : undefined;
  if (typeof isRemoved === "boolean") return isRemoved;
  throw malformed("the status", "does not state whether the entity is removed");
}
