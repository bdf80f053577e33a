import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  Kind as Syntax,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { capabilities } from "../../src/facets/capabilities.ts";
import { edgesOfMembers, facets, facetsOf, plannedFacets } from "../../src/facets/index.ts";
import { unmanagedAspects } from "../../src/facets/deleted-aspects.ts";
import { isDefinitionKind, kinds } from "../../src/kinds/index.ts";
import type { Kind } from "../../src/kinds/kind.ts";
import { mutationOf } from "../../src/sync/write/requests.ts";
import { examplesOf, reads } from "../support/sent-documents.ts";

/** What this program uses of DataHub: lists of texts, each sorted. */
export interface Spoken {
  /** Fields of GraphQL with the arguments that are sent, as `Type.field` or `Type.field(a, b)`. */
  readonly fields: readonly string[];
  /** Fields of input types, as `Type.field`. */
  readonly inputs: readonly string[];
  readonly enums: readonly string[];
  /** By entity type, the aspects that are read or written. */
  readonly aspects: Readonly<Record<string, readonly string[]>>;
}

/** All that this program uses, by the documents that it sends, its table of capabilities, its kinds and its facets. */
export function spoken(schema: GraphQLSchema): Spoken {
  const used = {
    fields: new Map<string, Set<string>>(),
    inputs: new Set<string>(),
    enums: new Set<string>(),
  };
  for (const document of documents()) addDocument(used, schema, document);
  for (const { asked } of capabilities) {
    if (asked.by === "input") used.inputs.add(asked.field);
    if (asked.by === "field" && !used.fields.has(asked.field)) used.fields.set(asked.field, new Set());
    if (asked.by === "flag") used.fields.set(`FeatureFlagsConfig.${asked.flag}`, new Set());
  }
  return {
    fields: [...used.fields]
      .map(([field, args]) => (args.size > 0 ? `${field}(${[...args].toSorted().join(", ")})` : field))
      .toSorted(),
    inputs: [...used.inputs].toSorted(),
    enums: [...used.enums].toSorted(),
    aspects: aspectsByType(),
  };
}

function documents(): readonly string[] {
  const mutations = plannedFacets.flatMap((facet) =>
    facet.kinds.flatMap((kind) => examplesOf(facet, kind).filter((request) => request.type === "mutation")),
  );
  const deletions = kinds.flatMap(({ deletion }) => {
    if (deletion?.mutation === undefined) return [];
    const arg = { name: "urn", type: "String!", value: null };
    return [{ type: "mutation", field: deletion.mutation, args: [arg] } as const];
  });
  return [
    ...reads.map(({ document }) => document),
    ...[...mutations, ...deletions].map((each) => mutationOf([each]).document),
  ];
}

interface Used {
  readonly fields: Map<string, Set<string>>;
  readonly inputs: Set<string>;
  readonly enums: Set<string>;
}

function addDocument(used: Used, schema: GraphQLSchema, document: string): void {
  const info = new TypeInfo(schema);
  visit(
    parse(document),
    visitWithTypeInfo(info, {
      [Syntax.FIELD]: ({ name, arguments: args = [] }) => {
        const parent = info.getParentType();
        if (!parent || `${parent.name}${name.value}`.includes("__")) return;
        const key = `${parent.name}.${name.value}`;
        const known = used.fields.get(key) ?? new Set();
        for (const argument of args) known.add(argument.name.value);
        used.fields.set(key, known);
        for (const argument of info.getFieldDef()?.args ?? [])
          if (args.some((given) => given.name.value === argument.name)) addInput(used, argument.type);
      },
    }),
  );
}

function addInput(used: Used, type: GraphQLInputType): void {
  const named = getNamedType(type);
  if (isEnumType(named)) used.enums.add(named.name);
  if (!isInputObjectType(named)) return;
  for (const field of Object.values(named.getFields())) {
    const key = `${named.name}.${field.name}`;
    if (used.inputs.has(key)) continue;
    used.inputs.add(key);
    addInput(used, field.type);
  }
}

function aspectsByType(): Spoken["aspects"] {
  const found = new Map<string, Set<string>>();
  const add = (type: string, aspects: readonly (string | undefined)[]): void => {
    const own = found.get(type) ?? new Set();
    for (const aspect of aspects) if (aspect !== undefined) own.add(aspect);
    found.set(type, own);
  };
  for (const kind of kinds) add(kind.entityType, aspectsOf(kind));
  for (const facet of facets) {
    if (facet.shape !== "map") continue;
    for (const each of [facet.columnEntity, facet.storedInColumns])
      add("schemaField", each ? [each.answered.name] : []);
  }
  for (const { inverseKinds, kind, storedByMembers } of edgesOfMembers) {
    add(kind.entityType, [storedByMembers.originAspect]);
    for (const each of inverseKinds)
      add(
        each.entityType,
        storedByMembers.lists.map(({ aspect }) => aspect),
      );
  }
  const sorted = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([type, aspects]) => [type, [...aspects].toSorted()]));
}

function aspectsOf(kind: Kind): readonly (string | undefined)[] {
  const { name } = kind;
  return [
    "status",
    ...Object.keys(kind.initial("")),
    ...Object.values(kind.storage).map(([aspect]) => aspect),
    ...facetsOf(name).flatMap((facet) => [
      ...facet.aspects(name),
      facet.storedIn?.(name),
      ...facet.answered(name).map((each) => each.name),
      facet.scalar?.editing?.aspect(name),
      facet.set?.editing?.aspect(name),
    ]),
    ...(isDefinitionKind(name) ? unmanagedAspects : []),
  ];
}
