/** Validates GraphQL documents, and reports unknown fields with graphql-java's message. */

import {
  BREAK,
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  validate,
  visit,
} from "graphql";

/**
 * Returns a document's validation errors. Errors for unknown fields have graphql-java's message. All other errors have
 * graphql-js's message.
 */
export function validationErrors(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  return validate(schema, document).map((error) => {
    const [, field, type] = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(error.message) ?? [];
    const [node] = error.nodes ?? [];
    if (field === undefined || node?.kind !== Kind.FIELD) return error;
    const path = pathTo(node, document).join("/");
    const message = `Validation error (FieldUndefined@[${path}]) : Field '${field}' in type '${type}' is undefined`;
    return new GraphQLError(message, { originalError: error, nodes: node });
  });
}

/** Returns the names of the nodes on the path from the operation or fragment to a field. */
function pathTo(field: FieldNode, document: DocumentNode): readonly string[] {
  const path: string[] = [];
  visit(document, {
    enter(node) {
      if (node.kind !== Kind.FIELD && node.kind !== Kind.FRAGMENT_DEFINITION) return undefined;
      path.push(node.name.value);
      return node === field ? BREAK : undefined;
    },
    leave(node) {
      if (node.kind === Kind.FIELD || node.kind === Kind.FRAGMENT_DEFINITION) path.pop();
    },
  });
  return path;
}
