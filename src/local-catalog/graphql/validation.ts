/** Validates GraphQL documents, with graphql-java's message for an unknown field. */

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

/** The errors of a document. Errors for unknown fields have the message of graphql-java, others have the message of graphql-js. */
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

/** The names on the path to a field, from its operation or fragment. */
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
