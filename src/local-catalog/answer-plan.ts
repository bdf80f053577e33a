import {
  getArgumentValues,
  GraphQLError,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  locatedError,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from "graphql";
import { nodesByKey } from "./selection.ts";

/** What the fields of one answer share. */
export interface Execution {
  readonly info: Omit<GraphQLResolveInfo, "fieldName" | "fieldNodes" | "returnType" | "parentType" | "path">;
  readonly context: unknown;
  /** Errors so far, each at its place in the answer. */
  readonly errors: GraphQLError[];
  /** Where in the answer the work is just now. */
  readonly path: (string | number)[];
}

/** Makes the part of an answer that stands for a value. Throws a located error where null may not stand. */
export type Complete = (value: unknown) => unknown;

/** Works out, once, what some selections ask of one object type. */
export function planObject(
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  execution: Execution,
): Complete {
  const fields = [...nodesByKey(sets, type, execution.info)].map(([key, nodes]): Place => {
    const nullable = !isNonNullType(type.getFields()[nodes[0].name.value]?.type);
    return { key, nodes, nullable, complete: planField(type, key, nodes, execution) };
  });
  return (source) => {
    const answer: Record<string, unknown> = {};
    for (const field of fields) answer[field.key] = completeAt(field, field.key, source, execution);
    return answer;
  };
}

interface Place {
  readonly key: string;
  readonly nodes: readonly FieldNode[];
  readonly nullable: boolean;
  readonly complete: Complete;
}

// An error is reported where it happened, and the answer is null at the nearest place that may be null.
function completeAt(
  { nodes, nullable, complete }: Omit<Place, "key">,
  key: string | number,
  value: unknown,
  { path, errors }: Execution,
): unknown {
  path.push(key);
  const depth = path.length;
  try {
    return complete(value);
  } catch (error) {
    const located = locatedError(error, nodes, [...path]);
    if (!nullable) throw located;
    errors.push(located);
    return null;
  } finally {
    if (path.length > depth) path.length = depth;
    path.pop();
  }
}

function planField(
  type: GraphQLObjectType,
  key: string,
  nodes: readonly [FieldNode, ...FieldNode[]],
  execution: Execution,
): Complete {
  const fieldName = nodes[0].name.value;
  const definition = type.getFields()[fieldName];
  if (!definition) return () => type.name;
  const { type: returnType, resolve } = definition;
  const complete = planType(returnType, `${type.name}.${fieldName}`, nodes, execution);
  const path = { prev: undefined, key, typename: type.name };
  const info = { ...execution.info, fieldName, fieldNodes: nodes, returnType, parentType: type, path };
  let args: Record<string, unknown> | undefined;
  return (source) => {
    args ??= getArgumentValues(definition, nodes[0], execution.info.variableValues);
    if (resolve) return complete(resolve(source, args, execution.context, info));
    const value = (source as Record<string, unknown>)[fieldName];
    return complete(typeof value === "function" ? value(args, execution.context, info) : value);
  };
}

function planType(
  type: GraphQLOutputType,
  place: string,
  nodes: readonly FieldNode[],
  execution: Execution,
): Complete {
  if (isNonNullType(type)) {
    const complete = planType(type.ofType, place, nodes, execution);
    return (value) => {
      const completed = complete(value);
      if (completed === null) throw new Error(`Cannot return null for non-nullable field ${place}.`);
      return completed;
    };
  }
  const complete = isListType(type)
    ? planList(type.ofType, place, nodes, execution)
    : isLeafType(type)
      ? (value: unknown) => type.serialize(value)
      : planComposite(type, nodes, execution);
  return (value) => (value === null || value === undefined ? null : complete(value));
}

function planList(
  type: GraphQLOutputType,
  place: string,
  nodes: readonly FieldNode[],
  execution: Execution,
): Complete {
  const complete = planType(type, place, nodes, execution);
  const item = { nodes, nullable: !isNonNullType(type), complete };
  return (value) => {
    if (!Array.isArray(value))
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${place}".`);
    return value.map((entry, index) => completeAt(item, index, entry, execution));
  };
}

function planComposite(
  type: GraphQLCompositeType,
  nodes: readonly FieldNode[],
  execution: Execution,
): Complete {
  const sets = nodes.flatMap((node) => node.selectionSet ?? []);
  const plans = new Map<GraphQLObjectType, Complete>();
  return (source) => {
    const objectType = isObjectType(type) ? type : objectTypeOf(type, source, execution);
    let plan = plans.get(objectType);
    if (!plan) plans.set(objectType, (plan = planObject(objectType, sets, execution)));
    return plan(source);
  };
}

function objectTypeOf(
  type: Exclude<GraphQLCompositeType, GraphQLObjectType>,
  source: unknown,
  { info, context }: Execution,
): GraphQLObjectType {
  const name = type.resolveType?.(source, context, info as GraphQLResolveInfo, type);
  const found = typeof name === "string" ? info.schema.getType(name) : undefined;
  if (!isObjectType(found) || !info.schema.isSubType(type, found))
    throw new GraphQLError(`A value is of no object type of ${type.name}.`);
  return found;
}
