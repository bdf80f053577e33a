/** Classifies requests by kind, path, operation and fields, and decides whether a fault's `only` list selects them. */

import type { IncomingMessage } from "node:http";
import { getOperationAST, Kind, OperationTypeNode } from "graphql";
import { isJsonObject } from "../../model/json.ts";
import { graphqlPath } from "../graphql/endpoint.ts";
import { parseWithinLimits } from "../graphql/query-limits.ts";
import { parseJson, stringAt } from "../json.ts";

/** A top-level field in a GraphQL request. `key` is the alias, or the name if there is no alias. */
export interface RootField {
  readonly key: string;
  readonly name: string;
}

/** The properties of a request that determine which faults apply. */
export interface ClassifiedRequest extends ClassifiedOperation {
  /** The path, including the query string. */
  readonly path: string;
}

/** The kind, fields and name of the operation that a request runs. */
interface ClassifiedOperation {
  readonly kind: "reads" | "writes";
  /** The name of the GraphQL operation, if it has one. */
  readonly operation?: string | undefined;
  readonly fields: readonly RootField[];
}

/** Classifies a request by its path and body. An invalid request counts as a read, because it writes nothing. */
export function classifyRequest(
  { method, url }: IncomingMessage,
  path: string,
  body: string,
): ClassifiedRequest {
  const [, query] = /(\?.*)$/s.exec(url ?? "") ?? [];
  const target = path + (query ?? "");
  if (path === graphqlPath) return { path: target, ...operationIn(body) };
  return { path: target, kind: isRead(method, target) ? "reads" : "writes", fields: [] };
}

/** Whether `only` selects a request or one of its fields. Without `only`, every request is selected. */
export function isSelected(
  only: readonly string[] | undefined,
  request: ClassifiedRequest,
  field?: RootField,
): boolean {
  if (!only) return true;
  const fields = field ? [field] : request.fields;
  return only.some(
    (entry) =>
      entry === request.kind ||
      entry === request.operation ||
      (entry.startsWith("/") && request.path.startsWith(entry)) ||
      fields.some(({ name }) => name === entry),
  );
}

const readingPosts =
  /^\/openapi\/v3\/entity\/(?:[^/]+\/batchGet|scroll)\b|^\/openapi\/v2\/|^\/openapi\/v1\/trace\/|[?&]action=search\b/;

function isRead(method: string | undefined, path: string): boolean {
  return method === "GET" || method === "HEAD" || (method === "POST" && readingPosts.test(path));
}

function operationIn(body: string): ClassifiedOperation {
  try {
    const sent = parseJson(body, "The body");
    const request = isJsonObject(sent) ? sent : {};
    const document = parseWithinLimits(stringAt(request, "query") ?? "");
    const operation = getOperationAST(document, stringAt(request, "operationName"));
    const selections = operation?.selectionSet.selections ?? [];
    const fields = selections.flatMap((selection): readonly RootField[] => {
      if (selection.kind !== Kind.FIELD) return [];
      const name = selection.name.value;
      return [{ name, key: selection.alias?.value ?? name }];
    });
    const kind = operation?.operation === OperationTypeNode.MUTATION ? "writes" : "reads";
    return { kind, operation: operation?.name?.value, fields };
  } catch {
    return { kind: "reads", fields: [] };
  }
}
