/**
 * Builds facets of each shape (`scalarFacet`, `setFacet`, `mapFacet`) with default functions, and provides helpers that facets
 * share.
 */

import { referenceSchema, idOrUrn, urnOfId } from "../model/identifier.ts";
import { isJsonObject, type Json, type JsonObject, textOf } from "../model/json.ts";
import { type Fields, isFields, type Member, type Scalar, scalarOf, setOf } from "../model/state.ts";
import type { Edit, Mutation, Proposal } from "../model/operation.ts";
import { isUrn, plainKeyOf, type Urn } from "../model/urn.ts";
import type { FacetContract, MapFacet, Observed, ScalarFacet, SetFacet } from "./facet.ts";
import type { ScalarWrites, SetWrites } from "./write-contract.ts";
import { type Parsing, refuseUrn } from "./parsing.ts";

const defaults = {
  refersTo: [],
  isRequired: false,
  blank: null,
  makesReferenceable: false,
  readWhenDeclared: false,
  aspects: () => [],
  answered: () => [],
  written: (value: Member | Scalar): Json => value,
  format: (value: Member | Scalar, called: (urn: string) => string) => {
    if (isFields(value)) return fieldsText(value, called);
    return typeof value === "string" ? called(value) : JSON.stringify(value);
  },
} satisfies Partial<FacetContract>;

/** Formats a mapping on a single line, as in a manifest. */
function fieldsText(value: Fields, called: (urn: string) => string): string {
  const fields = Object.entries(value).map(
    ([field, text]) => `${field}: ${typeof text === "string" ? called(text) : text}`,
  );
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

type Optional = keyof typeof defaults;

/** The properties that a facet must define. All other properties have defaults. */
type Definition<Value extends Member | Scalar, Extra> = Omit<FacetContract, Optional | "observe"> &
  Partial<Pick<FacetContract, Exclude<Optional, "format" | "written">>> & {
    parse(written: Json): Parsing<Value>;
    written?(value: Value): Json;
    format?(value: Value, called: (urn: string) => string): string;
  } & Extra;

/** Builds a facet with a single value. */
export function scalarFacet(
  definition: Definition<
    Scalar,
    ScalarWrites & {
      /** Reads the value, or all values if the server can store several. Only the first value counts. */
      readonly observe: (aspects: JsonObject, kind: string) => Scalar | readonly Scalar[];
    }
  >,
): ScalarFacet {
  const { observe, ...rest } = definition;
  return {
    ...defaults,
    ...rest,
    shape: "scalar",
    scalar: definition,
    observe: (aspects, kind) => {
      const values = [observe(aspects, kind)].flat();
      const value = scalarOf(values[0] ?? null);
      return values.length > 1 ? { value, several: values } : { value };
    },
  };
}

/** Builds a facet whose value is a set with elements of type `Element`. */
export function setFacet<Element extends Member = Urn>(
  definition: Definition<
    Element,
    Pick<SetFacet, "edges" | "alike"> &
      SetWrites<Element> & { readonly observe: (aspects: JsonObject, kind: string) => readonly Element[] }
  >,
): SetFacet {
  const { observe, ...rest } = definition;
  return {
    ...defaults,
    ...rest,
    shape: "set",
    set: definition,
    observe: (aspects, kind) => ({ value: setOf(observe(aspects, kind)) }),
  };
}

/** Builds a facet that has a scalar, or a set with elements of type `Element`, for each key. */
export function mapFacet<Element extends Member = Urn>(
  definition: Definition<
    Element | Scalar,
    Pick<MapFacet, "keys" | "scalar" | "columnEntity" | "storedInColumns" | "definitions"> & {
      readonly set?: SetWrites<Element>;
      readonly observe: (aspects: JsonObject, kind: string) => Observed;
    }
  >,
): MapFacet {
  return { ...defaults, ...definition, shape: "map" };
}

/**
 * The key that distinguishes sources in patches. It is empty for an element without attribution. It must be the first key, as in
 * DataHub's own client, because servers before 1.6 misinterpret a path that ends with an empty key (TemplateUtil.java).
 */
export const attributionSource = "attribution\u241Fsource";

/** Builds a mutation with the single argument `input`. Mutations that return an object also need a `selection`. */
export function mutation(field: string, type: string, value: JsonObject, selection?: string): Mutation {
  const args = [{ name: "input", type, value }];
  return { type: "mutation", field, args, ...(selection !== undefined && { selection }) };
}

/** Builds a proposal that sets fields of an aspect. */
export function proposal(urn: Urn, aspect: string, set: Proposal["set"]): Proposal {
  return { type: "proposal", urn, aspect, initial: {}, set };
}

/** Builds a proposal that edits an aspect. */
export function editingProposal(urn: Urn, aspect: string, edit: Edit): Proposal {
  return { ...proposal(urn, aspect, {}), edits: [edit] };
}

/**
 * Builds the JSON Schema for a list of entities of one type. The description begins with `what`, which is a noun phrase for the
 * entities.
 */
export function referencesSchema(
  entityType: string,
  what: string,
  ...examples: readonly string[]
): JsonObject {
  return {
    type: "array",
    description: `${what}, by id or URN. \`[]\` means none.`,
    examples: [examples, []],
    items: referenceSchema(entityType),
  };
}

/** Returns the texts by which an option of `list` can find a URN. */
export function textsOfReference(urn: Member | Scalar | undefined): readonly string[] {
  return isUrn(urn) ? [urn, plainKeyOf(urn)] : [];
}

/** Builds the common properties of facets whose values are references to one entity type: ids, URNs, or mappings with an `id`. */
export function referenceTo(entityType: string): {
  readonly refersTo: readonly string[];
  parse(written: Json): Parsing<Urn>;
  written(value: Urn): Json;
} {
  return {
    refersTo: [entityType],
    written: idOrUrn,
    parse: (written) => {
      const isInline = isJsonObject(written);
      const text = textOf(isInline ? written["id"] : written);
      const result = urnOfId(entityType, text);
      if ("fault" in result) return refuseUrn(text, result.fault, isInline ? ["id"] : []);
      return { value: result.urn, references: [{ urn: result.urn, entityType }] };
    },
  };
}
