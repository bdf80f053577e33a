/** Redacts entities and omits glossary terms that the user may not view. */

import {
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  type GraphQLOutputType,
} from "graphql";
import { isJsonObject } from "../../../model/json.ts";
import { entityTypeOfUrn } from "../../registry/entity-types.ts";
import type { RequestContext } from "../request-context.ts";
import type { EntitySource } from "./source.ts";

/** The entity types that GraphQL redacts (AuthUtil.java, VIEW_RESTRICTED_ENTITY_TYPES). DataHub 1.7.0.1 added the last two. */
const redacted: ReadonlySet<string> = new Set([
  "dataset",
  "dashboard",
  "chart",
  "dataFlow",
  "dataJob",
  "notebook",
  "mlModel",
  "mlModelGroup",
  "mlFeature",
  "mlFeatureTable",
  "mlPrimaryKey",
  "glossaryTerm",
  "glossaryNode",
  "domain",
  "dataProduct",
  "container",
  "schemaField",
]);

/** Whether GraphQL returns only a redacted version of an entity to the user. */
export function isRedacted(urn: string, { restricted }: RequestContext): boolean {
  return restricted.has(urn) && redacted.has(entityTypeOfUrn(urn)?.name ?? "");
}

/** Fields that DataHub resolves separately, and therefore does not redact. */
const resolved: ReadonlySet<string> = new Set([
  "exists",
  "aspects",
  "relationships",
  "childrenCount",
  "parentContainers",
  "parentDomains",
  "parentNodes",
]);

const kept: ReadonlySet<string> = new Set(["name", "type", "urn", "chartId", "id", "jobId", "flowId"]);

/** Redacts a field's value for a user who may not view the entity (AuthorizationUtils.java, restrictEntity). */
export function redactedField(name: string, type: GraphQLOutputType, value: unknown): unknown {
  return resolved.has(name) ? value : shellOf(name, type, value);
}

function shellOf(name: string, type: GraphQLOutputType, value: unknown): unknown {
  if (!isNonNullType(type) && !name.toLowerCase().includes("properties")) return null;
  if (kept.has(name)) return value;
  const shown = getNullableType(type);
  if (isListType(shown)) return [];
  if (isScalarType(shown)) return blanks[shown.name] ?? value === true;
  // A reference to an entity is not redacted, because GraphQL loads the referenced entity separately.
  if (!isObjectType(shown) || !isPlain(value)) return value ?? null;
  return Object.fromEntries(
    Object.values(shown.getFields()).map((field) => [
      field.name,
      shellOf(field.name, field.type, value[field.name]),
    ]),
  );
}

const blanks: Readonly<Record<string, unknown>> = { String: "", ID: "", Int: 0, Long: 0, Float: 0 };

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value) && !("typename" in value);
}

/** Returns the terms that the user may view (GlossaryTermsMapper.java). */
export function viewableTerms(
  { terms }: { readonly terms: readonly { readonly term: EntitySource | null }[] },
  _args: object,
  context: RequestContext,
): readonly object[] {
  return terms.filter(({ term }) => !isRedacted(term?.urn ?? "", context));
}
