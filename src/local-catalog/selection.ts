import {
  getArgumentValues,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from "graphql";
import type { FieldArguments } from "./entity-field.ts";

/** A field that a request selects, with the values of its arguments. */
export interface SelectedField {
  readonly name: string;
  readonly args: FieldArguments;
}

type Selecting = Pick<GraphQLResolveInfo, "schema" | "fragments" | "variableValues">;

/**
 * The fields that `selections` ask of one object type, fragments followed. `@skip` and `@include` are not looked
 * at: what is loaded in vain is only loaded in vain.
 */
export function selectedFields(
  selections: readonly (SelectionSetNode | undefined)[],
  typename: string,
  info: Selecting,
): SelectedField[] {
  const type = info.schema.getType(typename);
  if (!isObjectType(type)) return [];
  const names = new Set([typename, ...type.getInterfaces().map((entry) => entry.name)]);
  const definitions = type.getFields();
  return selections
    .flatMap((set) => (set ? fieldNodes(set, names, info) : []))
    .flatMap((node) => {
      const definition = definitions[node.name.value];
      return definition
        ? [{ name: node.name.value, args: getArgumentValues(definition, node, info.variableValues) }]
        : [];
    });
}

function fieldNodes(set: SelectionSetNode, names: ReadonlySet<string>, info: Selecting): FieldNode[] {
  return set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    const fragment =
      selection.kind === Kind.FRAGMENT_SPREAD ? info.fragments[selection.name.value] : selection;
    const condition = fragment?.typeCondition?.name.value;
    return fragment && (condition === undefined || names.has(condition))
      ? fieldNodes(fragment.selectionSet, names, info)
      : [];
  });
}
