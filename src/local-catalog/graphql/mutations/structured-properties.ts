/** Mutations that define structured properties, and set and remove their values on entities. */

import type { JsonObject } from "../../../model/json.ts";
import { objectAt, objectsAt, stringAt, stringsAt } from "../../json.ts";
import { entityExists } from "../../store/aspect-write.ts";
import { entitySource, type EntitySource } from "../entities/source.ts";
import { structuredPropertiesValue } from "../entities/structured-properties.ts";
import { badRequest, serverError } from "../errors.ts";
import type { RequestContext } from "../request-context.ts";
import { deleteEntity } from "./deletions.ts";
import { requireUrn, userStamp, type InputMutation } from "./mutation.ts";
import { write, writeAsUser } from "../write-as-user.ts";

const aspect = "structuredProperties";

interface ValueInput {
  readonly stringValue?: string | null;
  readonly numberValue?: number | null;
}

type AllowedValueInput = ValueInput & { readonly description?: string | null };

interface DefinitionTexts {
  readonly displayName?: string | null;
  readonly description?: string | null;
  readonly immutable?: boolean | null;
}

interface CreateInput extends DefinitionTexts {
  readonly id?: string | null;
  readonly qualifiedName?: string | null;
  readonly valueType: string;
  readonly typeQualifier?: { readonly allowedTypes?: readonly string[] | null } | null;
  readonly allowedValues?: readonly AllowedValueInput[] | null;
  readonly cardinality?: "SINGLE" | "MULTIPLE" | null;
  readonly entityTypes: readonly string[];
}

/** Defines a structured property. The id is the same as the qualified name (CreateStructuredPropertyResolver.java). */
export const createStructuredProperty: InputMutation<CreateInput, EntitySource> = ({ input }, context) => {
  const { id, qualifiedName, typeQualifier, allowedValues, entityTypes, ...definition } = input;
  if (typeof id === "string" && typeof qualifiedName === "string" && id !== qualifiedName)
    throw badRequest("Qualified name must match the ID of a structured property");
  const name = id ?? qualifiedName ?? context.newId();
  const urn = requireUrn(`urn:li:structuredProperty:${name}`);
  if (entityExists(context.store, urn))
    throw badRequest("A structured property already exists with this urn");
  const stamp = userStamp(context);
  writeAsUser(context, urn, "propertyDefinition", {
    ...definition,
    qualifiedName: name,
    entityTypes: [...new Set(entityTypes)],
    typeQualifier: typeQualifier?.allowedTypes ? { allowedTypes: typeQualifier.allowedTypes } : undefined,
    allowedValues: allowedValues?.map((value) => allowedValue(value, context)),
    created: stamp,
    lastModified: stamp,
  });
  return entitySource(urn);
};

interface UpdateInput extends DefinitionTexts {
  readonly urn: string;
  readonly typeQualifier?: { readonly newAllowedTypes?: readonly string[] | null } | null;
  readonly newAllowedValues?: readonly AllowedValueInput[] | null;
  readonly setCardinalityAsMultiple?: boolean | null;
  readonly newEntityTypes?: readonly string[] | null;
}

/**
 * Extends a definition in the ways that DataHub allows. A missing argument leaves the value unchanged
 * (UpdateStructuredPropertyResolver.java).
 */
export const updateStructuredProperty: InputMutation<UpdateInput, EntitySource> = ({ input }, context) => {
  const urn = requireUrn(input.urn);
  const before = context.store.latest(urn, "propertyDefinition")?.value;
  if (!before) throw badRequest("Attempting to update a structured property with no definition aspect.");
  const { newAllowedValues, newEntityTypes, typeQualifier } = input;
  const allowedTypes = stringsAt(objectAt(before, "typeQualifier"), "allowedTypes");
  const newTypes = typeQualifier?.newAllowedTypes;
  writeAsUser(context, urn, "propertyDefinition", {
    ...before,
    displayName: input.displayName ?? before["displayName"],
    description: input.description ?? before["description"],
    immutable: input.immutable ?? before["immutable"],
    cardinality: input.setCardinalityAsMultiple === true ? "MULTIPLE" : before["cardinality"],
    typeQualifier: newTypes ? { allowedTypes: [...allowedTypes, ...newTypes] } : before["typeQualifier"],
    allowedValues: newAllowedValues
      ? [
          ...objectsAt(before, "allowedValues"),
          ...newAllowedValues.map((value) => allowedValue(value, context)),
        ]
      : before["allowedValues"],
    entityTypes: [...new Set([...stringsAt(before, "entityTypes"), ...(newEntityTypes ?? [])])],
    lastModified: userStamp(context),
  });
  return entitySource(urn);
};

/**
 * Deletes a structured property's definition, and the property's values on all entities that the index finds
 * (DeleteStructuredPropertyResolver.java).
 */
export const deleteStructuredProperty: InputMutation<{ readonly urn: string }> = ({ input }, context) =>
  deleteEntity(input, context);

interface UpsertInput {
  readonly assetUrn: string;
  readonly structuredPropertyInputParams: readonly {
    readonly structuredPropertyUrn: string;
    readonly values: readonly ValueInput[];
  }[];
}

/**
 * Sets an entity's values for the given properties, and keeps its values for all other properties. A column need not exist yet
 * (UpsertStructuredPropertiesResolver.java).
 */
export const upsertStructuredProperties: InputMutation<UpsertInput, object> = ({ input }, context) => {
  const urn = requireUrn(input.assetUrn);
  // A column has no entity of its own until it has properties.
  if (!urn.startsWith("urn:li:schemaField:")) requireAsset(urn, context);
  const before = objectsAt(context.store.latest(urn, aspect)?.value, "properties");
  const given = new Map(
    input.structuredPropertyInputParams.map((each) => [
      requireUrn(each.structuredPropertyUrn),
      each.values.map((value) => primitiveValue(value, context)),
    ]),
  );
  const lastModified = userStamp(context);
  const known = new Set(before.map((assignment) => stringAt(assignment, "propertyUrn")));
  const updated = before.map((assignment) => {
    const values = given.get(stringAt(assignment, "propertyUrn") ?? "");
    if (!values) return assignment;
    const { attribution: _erased, ...rest } = assignment;
    return { ...rest, values, lastModified };
  });
  const added = [...given]
    .filter(([propertyUrn]) => !known.has(propertyUrn))
    .map(([propertyUrn, values]) => ({ propertyUrn, values, created: lastModified, lastModified }));
  writeAsUser(context, urn, aspect, { properties: [...updated, ...added] });
  return shownOf(urn, context);
};

interface RemoveInput {
  readonly assetUrn: string;
  readonly structuredPropertyUrns: readonly string[];
}

/**
 * Removes properties from an entity. It is not an error if a property is missing. DataHub patches the aspect, so it neither
 * checks the other values nor removes values that are hidden from reads (RemoveStructuredPropertiesResolver.java).
 */
export const removeStructuredProperties: InputMutation<RemoveInput, object> = ({ input }, context) => {
  const urn = requireUrn(input.assetUrn);
  requireAsset(urn, context);
  const removed = new Set<unknown>(input.structuredPropertyUrns.map(requireUrn));
  const before = objectsAt(context.store.storedValue(urn, aspect), "properties");
  const rest = before.filter(({ propertyUrn }) => !removed.has(propertyUrn));
  write(context, { urn, aspect, value: { properties: rest } }, new Set());
  return shownOf(urn, context);
};

function requireAsset(urn: string, { store }: RequestContext): void {
  if (entityExists(store, urn)) return;
  throw serverError(
    `Failed to perform update against input ${urn}`,
    `Asset with provided urn ${urn} does not exist`,
  );
}

function shownOf(urn: string, context: RequestContext): object {
  const stored = context.store.latest(urn, aspect)?.value ?? {};
  return structuredPropertiesValue(stored, urn);
}

function primitiveValue({ stringValue, numberValue }: ValueInput, { isFloat32 }: RequestContext): JsonObject {
  if (typeof numberValue !== "number") return { string: stringValue ?? "" };
  return { double: isFloat32 ? Math.fround(numberValue) : numberValue };
}

function allowedValue({ description, ...value }: AllowedValueInput, context: RequestContext): JsonObject {
  return {
    value: primitiveValue(value, context),
    ...(typeof description === "string" ? { description } : {}),
  };
}
