import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type SelectionNode,
  validate,
} from "graphql";

/** The faults of a document; an unknown field as graphql-java says it, other faults as graphql-js does. */
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

/** The names on the way to a field, from its operation or fragment. */
function pathTo(field: FieldNode, document: DocumentNode): readonly string[] {
  for (const definition of document.definitions) {
    if (!("selectionSet" in definition) || !definition.selectionSet) continue;
    const own = definition.kind === Kind.FRAGMENT_DEFINITION ? [definition.name.value] : [];
    const path = pathIn(definition.selectionSet.selections, field);
    if (path) return [...own, ...path];
  }
  return [field.name.value];
}

function pathIn(selections: readonly SelectionNode[], field: FieldNode): readonly string[] | undefined {
  for (const node of selections) {
    const own = node.kind === Kind.FIELD ? [node.name.value] : [];
    if (node === field) return own;
    const inner = "selectionSet" in node ? pathIn(node.selectionSet?.selections ?? [], field) : undefined;
    if (inner) return [...own, ...inner];
  }
  return undefined;
}
