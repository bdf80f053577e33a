/** Finds the fields that a GraphQL request selects, and evaluates `@skip` and `@include`. */

import {
  getArgumentValues,
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isAbstractType,
  isObjectType,
  Kind,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import type { FieldArguments } from "./entities/field.ts";

/** A request's variable values, keyed by name. */
export type Variables = Readonly<Record<string, unknown>>;

/** A field that a request selects, including its argument values. */
export interface SelectedField {
  readonly name: string;
  readonly args: FieldArguments;
}

/** Returns the fields that the selection sets select on an object type, with the fields' argument values. */
export function selectedFields(
  sets: readonly SelectionSetNode[],
  typename: string,
  info: GraphQLResolveInfo,
): SelectedField[] {
  const type = info.schema.getType(typename);
  if (!isObjectType(type)) return [];
  return [...nodesByKey(sets, type, info).values()].flatMap((node) => {
    const definition = type.getFields()[node.name.value];
    if (!definition) return [];
    return [{ name: node.name.value, args: getArgumentValues(definition, node, info.variableValues) }];
  });
}

/** Returns the first node for each selected field of an object type, keyed by response key and in selection order. */
function nodesByKey(
  sets: readonly SelectionSetNode[],
  type: GraphQLObjectType,
  info: GraphQLResolveInfo,
): ReadonlyMap<string, FieldNode> {
  const byKey = new Map<string, FieldNode>();
  const followed = new Set<FragmentDefinitionNode>();
  const add = (node: SelectionNode): void => {
    if (!isIncluded(node, info.variableValues)) return;
    if (node.kind === Kind.FIELD) {
      const key = node.alias?.value ?? node.name.value;
      if (!byKey.has(key)) byKey.set(key, node);
      return;
    }
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? info.fragments[node.name.value] : node;
    if (!fragment || !appliesTo(fragment.typeCondition?.name.value, type, info.schema)) return;
    if (fragment.kind === Kind.FRAGMENT_DEFINITION) {
      if (followed.has(fragment)) return;
      followed.add(fragment);
    }
    fragment.selectionSet.selections.forEach(add);
  };
  for (const set of sets) set.selections.forEach(add);
  return byKey;
}

/** Whether a selection remains after evaluating `@skip` and `@include`. */
export function isIncluded(node: SelectionNode, variables: Variables): boolean {
  if (!node.directives || node.directives.length === 0) return true;
  const skip = getDirectiveValues(GraphQLSkipDirective, node, variables)?.["if"];
  const include = getDirectiveValues(GraphQLIncludeDirective, node, variables)?.["if"];
  return skip !== true && include !== false;
}

function appliesTo(condition: string | undefined, type: GraphQLObjectType, schema: GraphQLSchema): boolean {
  if (condition === undefined || condition === type.name) return true;
  const named = schema.getType(condition);
  return isAbstractType(named) && schema.isSubType(named, type);
}
