/** Parses GraphQL documents, and limits their size, depth and complexity as DataHub does. */

import {
  GraphQLError,
  Kind,
  parse,
  valueFromASTUntyped,
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { isIncluded, type Variables } from "./selection.ts";

/** DataHub's query limits, from `graphQL.query` in application.yaml and graphql-java's parser options. */
const queryLimits = { complexity: 2000, depth: 50, tokens: 15_000, characters: 1_048_576 } as const;

/**
 * Parses a document of at most 15,000 tokens and 1,048,576 characters.
 * @throws GraphQLError with graphql-java's message when the document is too large, or with graphql-js's message when it contains
 * a syntax error.
 */
export function parseWithinLimits(...[source, options]: Parameters<typeof parse>): DocumentNode {
  const text = typeof source === "string" ? source : source.body;
  if (text.length > queryLimits.characters) throw tooMany("1,048,576 characters");
  try {
    return parse(source, { ...options, maxTokens: queryLimits.tokens });
  } catch (error) {
    if (!(error instanceof GraphQLError) || !error.message.includes("tokens. Parsing aborted")) throw error;
    throw tooMany("15,000 'grammar' tokens");
  }
}

function tooMany(what: string): GraphQLError {
  return new GraphQLError(
    `More than ${what} have been presented. To prevent Denial Of Service attacks, parsing has been cancelled.`,
    { extensions: { classification: "InvalidSyntax" } },
  );
}

/**
 * Returns the error for an operation that is too deep or too complex, or undefined otherwise. Each selected field counts as 1,
 * and the fields of a named fragment count only where the fragment is first used. `__typename` and the length of lists in the
 * response do not count (DataHubFieldComplexityCalculator.java; graphql-java MaxQueryComplexityInstrumentation).
 */
export function limitError(
  operation: OperationDefinitionNode,
  document: DocumentNode,
  variables: Variables,
): GraphQLError | undefined {
  const { complexity, depth } = measureOf(document, variables)(operation.selectionSet);
  if (depth > queryLimits.depth)
    return aborted(`maximum query depth exceeded ${depth} > ${queryLimits.depth}`);
  if (complexity > queryLimits.complexity)
    return aborted(`maximum query complexity exceeded ${complexity} > ${queryLimits.complexity}`);
  return undefined;
}

interface Measure {
  readonly complexity: number;
  readonly depth: number;
}

const nothing: Measure = { complexity: 0, depth: 0 };

// Visits each fragment only once, as graphql-java does. Otherwise, nested fragments could take exponential time.
function measureOf(document: DocumentNode, variables: Variables) {
  const fragments = new Map<string, SelectionSetNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION)
      fragments.set(definition.name.value, definition.selectionSet);
  const ofSet = (set: SelectionSetNode | undefined): Measure =>
    set ? sum(set.selections.filter((node) => isIncluded(node, variables)).map(ofSelection)) : nothing;
  const ofSelection = (node: SelectionNode): Measure => {
    if (node.kind === Kind.FIELD) return ofField(node);
    if (node.kind === Kind.INLINE_FRAGMENT) return ofSet(node.selectionSet);
    const set = fragments.get(node.name.value);
    fragments.delete(node.name.value);
    return ofSet(set);
  };
  const ofField = (node: FieldNode): Measure => {
    const inner = ofSet(node.selectionSet);
    const own = node.name.value === "__typename" ? 0 : 1 + complexityOfInput(node, variables);
    return { complexity: inner.complexity + own, depth: inner.depth + 1 };
  };
  return ofSet;
}

// An `input` argument adds complexity if it is a list, or if it requests several results and the query uses the fragment that
// DataHub considers costly. Selecting the same fields without that fragment adds nothing.
function complexityOfInput(node: FieldNode, variables: Variables): number {
  const argument = node.arguments?.find(({ name }) => name.value === "input");
  const input: unknown = argument && valueFromASTUntyped(argument.value, variables);
  if (Array.isArray(input)) return input.length;
  const count = typeof input === "object" && input !== null && "count" in input ? input.count : undefined;
  return typeof count === "number" && count > 1 && hasCostlyResults(node) ? 2 * count : 0;
}

function hasCostlyResults(node: FieldNode): boolean {
  const entities = fieldsNamed(fieldsNamed([node], "searchResults"), "entity");
  return entities.some(({ selectionSet }) =>
    selectionSet?.selections.some(
      (inner) => inner.kind === Kind.FRAGMENT_SPREAD && inner.name.value === "searchResultFields",
    ),
  );
}

function fieldsNamed(nodes: readonly FieldNode[], name: string): readonly FieldNode[] {
  return nodes
    .flatMap((node) => node.selectionSet?.selections ?? [])
    .filter((inner): inner is FieldNode => inner.kind === Kind.FIELD && inner.name.value === name);
}

function sum(measures: readonly Measure[]): Measure {
  let { complexity, depth } = nothing;
  for (const measure of measures) {
    complexity += measure.complexity;
    depth = Math.max(depth, measure.depth);
  }
  return { complexity, depth };
}

function aborted(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { classification: "ExecutionAborted" } });
}
