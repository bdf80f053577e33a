import { isJsonObject, type Json, type JsonObject, textOf } from "../../../src/model/json.ts";
import {
  Kind,
  parse,
  print,
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
  visit,
} from "graphql";

/** A request as it came, with its body where that is JSON. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body: Json | undefined;
}

/** A GraphQL request, and the fields of the operation by the names that their answers have. */
export interface GraphqlAsked {
  readonly document: DocumentNode;
  readonly variables: JsonObject;
  readonly fields: ReadonlyMap<string, FieldNode>;
}

/** What a request says as GraphQL; `undefined` of another one. */
export function graphqlIn({ url, body }: Asked): GraphqlAsked | undefined {
  if (!url.endsWith("/api/graphql") || !isJsonObject(body)) return undefined;
  const document = parse(textOf(body["query"]));
  const operation = document.definitions.find(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const selected = operation?.selectionSet.selections ?? [];
  const fields = selected.filter((selection) => selection.kind === Kind.FIELD);
  const variables = isJsonObject(body["variables"]) ? body["variables"] : {};
  return {
    document,
    variables,
    fields: new Map(fields.map((field) => [field.alias?.value ?? field.name.value, field])),
  };
}

/** The names of the answers of one field of the operation. */
export function aliasesOf({ fields }: GraphqlAsked, name: string): readonly string[] {
  return [...fields].flatMap(([alias, field]) => (field.name.value === name ? [alias] : []));
}

/** The body of the request without some of its fields; `undefined` where none is left. */
export function withoutFields(asked: GraphqlAsked, aliases: ReadonlySet<string>): Json | undefined {
  if ([...asked.fields.keys()].every((alias) => aliases.has(alias))) return undefined;
  const dropped = [...aliases].flatMap((alias) => {
    const field = asked.fields.get(alias);
    return field ? [field] : [];
  });
  const unused = new Set(dropped.flatMap((field) => variablesOf(field)));
  const document = visit(asked.document, {
    Field: (node) => (dropped.includes(node) ? null : undefined),
    VariableDefinition: (node) => (unused.has(node.variable.name.value) ? null : undefined),
  });
  const variables = Object.fromEntries(Object.entries(asked.variables).filter(([name]) => !unused.has(name)));
  return { query: print(document), variables };
}

/** The names of the variables of a field. */
export function variablesOf(field: FieldNode): readonly string[] {
  return (field.arguments ?? []).flatMap(({ value }) =>
    value.kind === Kind.VARIABLE ? [value.name.value] : [],
  );
}
