/** Compiles policy checks, and determines the facets and other data that policies need. */

import { facetsOf } from "../../facets/index.ts";
import type { CatalogPolicy, PolicyCheck, PolicyCondition, Requirement } from "../../model/catalog-policy.ts";
import type { KindName } from "../../model/state.ts";
import {
  type EntityTypes,
  entityTypesOf,
  fieldsOfMemberships,
  fieldsOfPeople,
  isUsed,
} from "./expression-types.ts";
import type { ExpressionFault } from "./expression-faults.ts";
import { type Expression, expressionsOver } from "./expression.ts";

interface KindExpressions {
  readonly types: EntityTypes;
  readonly compile: (text: string) => Expression | ExpressionFault;
}

const byKind = new Map<KindName, KindExpressions>();

function expressionsOf(kind: KindName): KindExpressions {
  const known = byKind.get(kind);
  if (known) return known;
  const types = entityTypesOf(kind);
  const compileNew = expressionsOver(types);
  const compiled = new Map<string, Expression | ExpressionFault>();
  const compile = (text: string): Expression | ExpressionFault => {
    const expression = compiled.get(text) ?? compileNew(text);
    compiled.set(text, expression);
    return expression;
  };
  const made = { types, compile };
  byKind.set(kind, made);
  return made;
}

/** Returns the error in an expression about entities of a kind, if there is one. */
export function expressionFault(kind: KindName, text: string): ExpressionFault | undefined {
  const compiled = expressionsOf(kind).compile(text);
  return "reason" in compiled ? compiled : undefined;
}

/** The compiled check of a policy. */
export interface Check {
  readonly expression: Expression;
  readonly types: EntityTypes;
  readonly facets: readonly string[];
  /** Whether the check uses owner fields that depend on the state of users and groups. */
  readonly usesPeople: boolean;
}

/** Compiles the check of a valid policy. Throws if the check is invalid. */
export function checkOf({ id, kind, check }: PolicyCheck): Check | undefined {
  if (check === undefined) return undefined;
  const { types, compile } = expressionsOf(kind);
  const expression = compile(check);
  if ("reason" in expression)
    throw new Error(`the check of policy ${id} is not a valid expression: ${expression.reason}`);
  const { fields } = expression;
  return {
    expression,
    types,
    facets: types.facetsFor(fields),
    usesPeople: fieldsOfPeople.some((field) => isUsed(fields, field)),
  };
}

/** The data that policies need for entities of a kind. */
export interface Needs {
  readonly facets: ReadonlySet<string>;
  readonly columns: boolean;
  readonly people: boolean;
  /** Whether policies use the groups of owners. */
  readonly groups: boolean;
  /** Whether policies use the `declared` field. */
  readonly declared: boolean;
}

/** Returns the data that is used by the policies for a kind and by the conditions of their waivers. */
export function needsOf(
  kind: KindName,
  policies: readonly CatalogPolicy[],
  waived: readonly PolicyCondition[],
): Needs {
  const own = policies.filter((policy) => policy.kind === kind);
  const checks = own.flatMap((policy) => checkOf(policy) ?? []);
  const isUsedByCheck = (field: string): boolean =>
    checks.some(({ expression: { fields } }) => isUsed(fields, field));
  const requirements = own.flatMap(requirementsOf);
  const named = [
    ...[...own.flatMap(conditionsOf), ...waived].map(({ key }) => key),
    ...requirements.map(({ facet }) => facet),
    ...checks.flatMap(({ facets }) => facets),
  ];
  const known = new Set(facetsOf(kind).map(({ name }) => name));
  return {
    facets: new Set(named.filter((name) => known.has(name))),
    columns: own.some(({ columns }) => columns) || isUsedByCheck("columns"),
    declared: isUsedByCheck("declared"),
    people: requirements.some(({ active }) => active) || checks.some(({ usesPeople }) => usesPeople),
    groups: fieldsOfMemberships.some(isUsedByCheck),
  };
}

/** Returns all requirements of a policy, both for the entity and for its columns. */
export function requirementsOf({ requirements, columns }: CatalogPolicy): readonly Requirement[] {
  return [...requirements, ...(columns?.requirements ?? [])];
}

/** Returns all conditions of a policy, both for the entity and for its columns. */
export function conditionsOf({ conditions, exclusions, columns }: CatalogPolicy): readonly PolicyCondition[] {
  const own = [...conditions, ...exclusions.flat()];
  return columns ? [...own, ...columns.conditions, ...columns.exclusions.flat()] : own;
}
