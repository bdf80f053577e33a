import { kindOf, kinds } from "../kinds/index.ts";
import { isJsonObject, type Json } from "../model/json.ts";
import { malformed } from "./answer.ts";
import { scalarFacet } from "./build.ts";

/**
 * Whether a definition is soft-deleted. It cannot be declared: what a manifest declares must not be soft-deleted. Read
 * from the raw aspect, because `CorpUser.status` is something else (SDL/entity.graphql), and structured properties have none.
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
  observe: ({ aspects }) => isJsonObject(aspects) && isSoftDeleted(aspects["status"]),
  requests: ({ urn, after }) => [
    { type: "proposal", urn, aspect: "status", initial: {}, set: { removed: after } },
  ],
});

/** Whether a `status` aspect says that its entity is soft-deleted. Throws `CatalogError` when it says neither. */
export function isSoftDeleted(status: Json | undefined): boolean {
  if (status === undefined || status === null) return false;
  const says = isJsonObject(status) ? (status["removed"] ?? false) : undefined;
  if (typeof says === "boolean") return says;
  throw malformed("its status", "does not say whether it is removed");
}
